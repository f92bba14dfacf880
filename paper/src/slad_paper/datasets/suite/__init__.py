"""The tuning suite: one-class tasks that share no source with ADBench, to choose things on.

    slad data suite                        # build it (docs/suite.md)
    from slad_paper.datasets import load
    from slad_paper.datasets.suite import tasks
    data = load(tasks()[0].name)           # suite-..., as any other dataset

What is fitted to ADBench says nothing about ADBench. Whatever has to be chosen is chosen here.

recipes.toml says how each task is made, judged.toml which tables share a source with ADBench and
are left out, archives.toml where the tables come from, manifest.csv what came out, with checksums.
"""

from slad_paper.datasets.suite.manifest import PREFIX, Task, suite_folder, task, tasks

__all__ = ["PREFIX", "Task", "suite_folder", "task", "tasks"]
