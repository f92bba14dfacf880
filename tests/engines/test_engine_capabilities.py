"""Who declares a capability can do it on tables; who does not is refused before any work."""

from __future__ import annotations

from pathlib import Path
from threading import get_ident

import numpy as np
import pytest
import torch
from made_up_shards import numbers_table, written

from recipes import SMALL, SMALL_OTHERS
from slad.core.errors import ConfigError
from slad.detectors import Capability, names_with, registry
from slad.engines import BatchScorer, fit_files, stream_scores
from slad.engines.onnx import check_export, export
from slad.engines.planning import cost_of
from slad.engines.ranks import Processes
from slad.model import TableDetector
from slad.tables import read

pytestmark = pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
every_name = pytest.mark.parametrize("name", registry.names())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return written(tmp_path_factory.mktemp("rows"), numbers_table(240), files=2, group=60)


def small_model(name: str) -> TableDetector:
    wanted = SMALL | SMALL_OTHERS | {"epochs": 1}
    known = registry.make(name).get_params(deep=False).keys() - registry.RECIPES[name].fixed.keys()
    own = {key: value for key, value in wanted.items() if key in known - {"device", "random_state"}}
    return TableDetector(name, parameters=own, calibration="split", device="cpu", level=0.05)


def refused(name: str, capability: Capability) -> str:
    """The beginning of the refusal."""
    return f"^{name} cannot {capability}: use {names_with(capability)[0]}"


@every_name
def test_fits_on_a_stream(name, folder):
    files, model = sorted(folder.iterdir()), small_model(name)
    if name in names_with(Capability.STREAM_FIT):
        rows = numbers_table(20, 3)
        assert np.isfinite(fit_files(model, files).anomaly_score(rows)).all()
        return
    with pytest.raises(ConfigError, match=refused(name, Capability.STREAM_FIT)):
        fit_files(model, files)
    assert not hasattr(model, "fold_models_")


def test_processes_share_a_fit_only_where_the_detector_says_so(folder, monkeypatch):
    class Two(Processes):
        world = 2

    cls = type(registry.make("slad"))
    monkeypatch.setattr(cls, "capabilities", cls.capabilities - {Capability.SHARED_FIT})
    monkeypatch.setattr("slad.detectors.registry.names_with", lambda capability: ["another"])
    with pytest.raises(ConfigError, match="slad cannot be trained by several processes: use anot"):
        fit_files(small_model("slad"), sorted(folder.iterdir()), processes=Two())


@every_name
def test_threads_share_a_scorer_only_where_the_detector_says_so(
    name, folder, tmp_path, monkeypatch
):
    model = small_model(name).fit(read(folder))
    scorer = BatchScorer(model)
    threads, judge = set(), model.judge
    monkeypatch.setattr(model, "judge", lambda rows: threads.add(get_ident()) or judge(rows))
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        stream_scores(scorer, sorted(folder.iterdir()), tmp_path / "out")
    finally:
        torch.set_num_threads(before)
    assert scorer.is_shared == (name in names_with(Capability.PARALLEL_SCORE))
    assert (threads == {get_ident()}) == (not scorer.is_shared)


@every_name
def test_costs_and_graphs(name, folder, tmp_path):
    model = small_model(name).fit(read(folder))
    if name in names_with(Capability.ROW_COST):
        assert cost_of(model).flops > 0
    else:
        with pytest.raises(ConfigError, match=refused(name, Capability.ROW_COST)):
            cost_of(model)
    pytest.importorskip("onnxruntime", reason="pip install 'slad[onnx]'")
    if name in names_with(Capability.ONNX):
        export(model, tmp_path / "m.onnx")
        assert check_export(model, tmp_path / "m.onnx") <= 1e-5
    else:
        with pytest.raises(ConfigError, match=refused(name, Capability.ONNX)):
            export(model, tmp_path / "m.onnx")
        assert not list(tmp_path.iterdir())


@every_name
def test_setting_rows_aside_takes_an_error_of_the_score(name, folder):
    model = small_model(name).set_params(reject=0.9)
    if name in names_with(Capability.SCORE_PARTS):
        assert model.fit(read(folder)).judge(numbers_table(20, 3)).errors.shape == (20,)
        return
    with pytest.raises(ConfigError, match=rf"{name} gives a row one score only; use one of slad, "):
        model.fit(read(folder))
