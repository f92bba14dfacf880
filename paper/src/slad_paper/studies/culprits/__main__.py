"""`python -m slad_paper.studies.culprits`: what is recorded already is not run again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from slad_paper.runner.records import write_record
from slad_paper.studies.culprits.choosing import choose
from slad_paper.studies.culprits.judging import judge
from slad_paper.studies.culprits.tables import JUDGED


def main() -> None:
    parser = argparse.ArgumentParser(description="Do explanations find planted culprits?")
    parser.add_argument("--datasets", nargs="+", default=list(JUDGED), help="by catalog name")
    parser.add_argument("--choice", action="store_true", help="how the method was chosen, instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, default=Path("results/culprits"))
    parser.add_argument("--again", action="store_true", help="run what is recorded already, too")
    options = parser.parse_args()
    for name in ["choice"] if options.choice else options.datasets:
        path = options.results / f"{name}.json"
        if path.exists() and not options.again:
            continue
        print(f"{name} ...", file=sys.stderr)
        write_record(path, choose(options.seed) if options.choice else judge(name, options.seed))


if __name__ == "__main__":
    main()
