"""What people install: wheels and sdists of both distributions, in fresh environments."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from slad.core.version import __version__

ROOT = Path(__file__).parents[1]
PICTURES = (".png", ".svg", ".jpg", ".gif")


def test_both_distributions_and_the_citation_have_one_version():
    paper = (ROOT / "paper" / "src" / "slad_paper" / "version.py").read_text()
    assert f'__version__ = "{__version__}"' in paper
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text()


def run(*words: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed, as a user's shell would run it."""
    ours = ("PYTHONPATH", "SLAD_DATA", "PYTHONWARNINGS")
    clean = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=clean, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> dict[str, Path]:
    """Wheel and sdist of both distributions; each wheel is built from its sdist."""
    folder = tmp_path_factory.mktemp("dist")
    for source in (ROOT, ROOT / "paper"):
        run(sys.executable, "-m", "build", "--outdir", folder, source, cwd=folder)
    kinds = {".whl": "wheel", ".gz": "sdist"}
    return {
        f"{path.name.partition('-')[0]} {kinds[path.suffix]}": path for path in folder.iterdir()
    }


def fresh(folder: Path) -> Path:
    """The folder of programs of a new environment."""
    venv.create(folder / "venv", with_pip=True)
    return folder / "venv" / "bin"


def install(programs: Path, *packages: str | Path) -> None:
    quiet = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(programs / "python", *quiet, "-c", ROOT / "constraints.txt", *packages, cwd=programs)


@pytest.mark.install
def test_sdists_and_wheels_hold_the_code_and_no_pictures(built):
    assert sorted(built) == ["slad sdist", "slad wheel", "slad_paper sdist", "slad_paper wheel"]
    for name, path in built.items():
        if path.suffix == ".whl":
            files = zipfile.ZipFile(path).namelist()
        else:
            with tarfile.open(path) as archive:
                files = archive.getnames()
        assert not [file for file in files if file.endswith(PICTURES)], name
        assert any(file.endswith("LICENSE") for file in files), name
        package = name.partition(" ")[0]
        assert any(file.endswith(f"{package}/__init__.py") for file in files), name
        if package == "slad":
            assert any(file.endswith("slad/report/template.html") for file in files)
            assert not any("slad_paper" in file for file in files)


@pytest.mark.install
def test_the_demo_runs_from_the_wheel_and_the_laboratory_joins_it(built, tmp_path):
    programs = fresh(tmp_path)
    install(programs, built["slad wheel"])
    said = run(programs / "slad", "demo", "--out", "demo", "--quiet", cwd=tmp_path)
    assert "malignant tumours" in said
    assert (tmp_path / "demo" / "report.html").stat().st_size > 10_000
    missing = subprocess.run(
        [programs / "slad", "data", "list"], cwd=tmp_path, capture_output=True, text=True
    )
    assert missing.returncode == 2
    assert "pip install slad-paper" in missing.stderr
    install(programs, built["slad_paper wheel"])
    assert "38_thyroid" in run(programs / "slad", "data", "list", cwd=tmp_path)
    assert "adbench" in run(programs / "slad", "reproduce", "--help", cwd=tmp_path)


@pytest.mark.install
def test_the_sdists_install_and_run(built, tmp_path):
    programs = fresh(tmp_path)
    install(programs, built["slad sdist"], built["slad_paper sdist"])
    assert run(programs / "slad", "--version", cwd=tmp_path) == f"slad {__version__}\n"
    made = "from slad import SLAD; print(SLAD(epochs=1).fit([[0.0], [1.0], [2.0]]).n_features_in_)"
    assert run(programs / "python", "-W", "error", "-c", made, cwd=tmp_path) == "1\n"
