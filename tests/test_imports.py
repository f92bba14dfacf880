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


@pytest.fixture
def orders(tmp_path):
    path = tmp_path / "orders.csv"
    rows = [f"{'cup' if at % 2 else 'tea'},{at % 7 + at / 100},{at % 5}" for at in range(120)]
    path.write_text("\n".join(["item,price,amount", *rows, "cup,900,2"]), encoding="utf-8")
    return path


def test_the_everyday_job_imports_no_torch_and_only_the_base_of_scikit_learn(orders):
    """scikit-learn's base itself needs scipy.stats, which is therefore hidden from all others."""
    done = run(
        "import sys, sklearn.base\n"
        "already = set(sys.modules)\n"
        "sys.modules['scipy.stats'] = None\n"
        "from slad.cli import main\n"
        f"table, folder = {str(orders)!r}, {str(orders.parent)!r}\n"
        "assert main(['detect', table, '--quiet', '--report', f'{folder}/page.html']) == 0\n"
        "assert main(['fit', table, '--quiet', '--out', f'{folder}/model']) == 0\n"
        "assert main(['score', f'{folder}/model', table, '--quiet']) == 0\n"
        "assert main(['explain', f'{folder}/model', table, '--quiet', '--rows', '1']) == 0\n"
        "came = {name for name in sys.modules if name not in already}\n"
        "heavy = {name for name in came if name.split('.')[0] in ('torch', 'sklearn')}\n"
        "assert not heavy, heavy"
    )
    assert done.returncode == 0, done.stderr


def test_detectors_without_networks_and_neighbours_fit_score_and_load_without_torch(tmp_path):
    done = run(
        "import sys, numpy as np\n"
        "from slad.detectors import load, make\n"
        "X = np.random.default_rng(0).normal(size=(60, 3))\n"
        f"path = {str(tmp_path / 'model')!r}\n"
        "for name in ('ecod', 'copod', 'pca', 'mahalanobis', 'iforest'):\n"
        "    detector = make(name).fit(X)\n"
        "    detector.save(path)\n"
        "    assert (load(path).anomaly_score(X) == detector.anomaly_score(X)).all()\n"
        "assert 'torch' not in sys.modules"
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
