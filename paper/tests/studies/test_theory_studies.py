"""The studies of the theory, from a quick run to their records."""

from __future__ import annotations

import json

from slad_paper.runner.running import carry_out
from slad_paper.studies import bound, gradients


def test_a_quick_look_at_the_bound_is_recorded_and_repeats(tmp_path):
    names = ["simulation", "sampler"]
    for folder in ("first", "second"):
        cases, _ = bound.STUDY.plan(quick=True, cases=names)
        carry_out(cases, tmp_path / folder, device="cpu")
    for name in names:
        first, second = (
            json.loads((tmp_path / folder / f"{name}.json").read_text())
            for folder in ("first", "second")
        )
        assert first["result"] == second["result"]
        assert first["settings"]["seed"] == 0


def test_a_quick_look_at_slad_s_own_gradients_needs_no_file(tmp_path):
    cases, _ = gradients.STUDY.plan(quick=True)
    case = next(case for case in cases if "recipe" in case.settings)
    carry_out([case], tmp_path, device="cpu")
    result = json.loads(case.path(tmp_path).read_text())["result"]
    assert [row["epoch"] for row in result["rows"]] == case.settings["epochs"]
    assert result["inliers"] > result["anomalies"] > 1
    assert all(row["output"]["inliers"]["sum"] > 0 for row in result["rows"])


def test_full_runs_look_at_real_tables_and_quick_ones_do_not():
    of = {quick: gradients.STUDY.cases(quick) for quick in (True, False)}
    assert {name for case in of[False] for name in case.datasets} == {"thyroid", "waveform"}
    assert {name for case in of[True] for name in case.datasets} == {"breast-cancer"}
