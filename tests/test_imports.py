from __future__ import annotations

import subprocess
import sys

import pytest

OPTIONAL = ["pandas", "jaxtyping", "beartype", "hypothesis", "pytest", "tqdm", "psutil", "pyarrow"]


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True
    )


def test_importing_slad_imports_nothing_heavy():
    heavy = ["torch", "sklearn", "numpy", "scipy", "safetensors", "pandas"]
    done = run(
        "import sys, slad\n"
        f"loaded = set({heavy}) & set(sys.modules)\n"
        "assert slad.__version__ and dir(slad)\n"
        "assert not loaded, loaded"
    )
    assert done.returncode == 0, done.stderr


def test_detectors_of_numbers_need_five_dependencies_only():
    done = run(
        f"import sys\nfor name in {OPTIONAL}: sys.modules[name] = None\n"
        "import tempfile, pathlib, numpy as np, slad\n"
        "X = np.random.default_rng(0).normal(size=(30, 3))\n"
        "detector = slad.NeighborScale(n_views=50, device='cpu').fit(X)\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    path = pathlib.Path(folder) / 'model'\n"
        "    detector.save(path)\n"
        "    assert (slad.load(path).anomaly_score(X) == detector.anomaly_score(X)).all()\n"
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["SLAD", "NeighborScale", "fit_many", "load"])
def test_public_names_are_there_and_listed(name):
    import slad

    assert name in dir(slad)
    assert callable(getattr(slad, name))


def test_other_names_are_not():
    import slad

    with pytest.raises(AttributeError, match="nonsense"):
        _ = slad.nonsense
