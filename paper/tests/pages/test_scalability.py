from __future__ import annotations

import pytest

from made_up_cases import case
from slad_paper.pages import scalability
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Table, as_markdown
from slad_paper.pages.pictures import style

SIZES = {"features": (64, 256, 1024), "rows": (4000, 8000, 16_000)}


def measured(total: float) -> dict:
    return {"fit": [total, total * 0.75], "score": [total * 0.5, total * 0.25]}


def line(
    detector: str, seconds: list, axis: str = "rows", device: str = "cpu", peer: list | None = None
) -> CaseRecord:
    """Seconds at each size, or what stands in their place."""
    cells = []
    for at, size in enumerate(SIZES[axis]):
        rows, features = (5000, size) if axis == "features" else (size, 32)
        cell = {"rows": rows, "features": features}
        for whose, values in (("ours", seconds), ("peer", peer)):
            if values:
                value = values[at]
                cell[whose] = value if isinstance(value, dict) else measured(value)
        cells.append(cell)
    settings = {"axis": axis, "device": device, "detector": detector, "epochs": 10}
    settings |= {"limit": 10.0, "peer_limit": 10.0}
    settings["shapes"] = [[cell["rows"], cell["features"]] for cell in cells]
    return case("scalability", f"{axis}-{device}-{detector}", settings, {"cells": cells})


def verdicts(*records: CaseRecord) -> dict[str, tuple[str, str]]:
    table = scalability.report(records).brief[1]
    assert isinstance(table, Table)
    return {row[0].text: (row[1].text, row[2].text) for row in table.rows}


def table(heading: str, *records: CaseRecord) -> list[str]:
    block = as_markdown(scalability.report(records)).split(f"## {heading}\n\n")[1]
    return block.split("\n\n")[0].splitlines()[2:]


def test_a_cell_is_its_shortest_fit_and_its_shortest_scoring():
    [shown] = table("CPU: seconds by rows", line("dsvdd", [1.0, 2.0, 4.0]))
    assert shown == "| dsvdd | 1 | 2 | 4 | 1.00 |"


def test_what_was_not_measured_is_told_apart_and_growth_needs_three_sizes():
    skipped = {"skipped": "12 s at 8,000 x 32, over 10 s"}
    lines = table(
        "CPU: seconds by rows",
        line("goad", [3.0, 12.0, skipped]),
        line("icl", [1.0, {"failed": "ResourceError: no room"}, skipped]),
    )
    assert lines == ["| icl | 1 | failed | – | – |", "| goad | 3 | 12 | – | – |"]
    report = scalability.report([line("goad", [3.0, 12.0, skipped])])
    assert report.data["seconds"][2]["not_measured"] == "12 s at 8,000 x 32, over 10 s"


def test_ratios_to_the_reference_are_bounds_where_it_was_cut_off():
    peer = [4.0, {"over": 10.0}, {"skipped": "over 10 s at 8,000 x 32"}]
    [shown] = table("CPU: reference / slad by rows", line("goad", [2.0, 4.0, 8.0], peer=peer))
    assert shown == "| goad | **2** | **\\> 2.5** | – | – |"


def test_the_claims_on_features_are_judged_at_the_widest_table():
    method = line("slad-released", [1.0, 2.0, 9.0], "features", "cuda")
    fast = line("dsvdd", [0.1, 0.2, 0.3], "features", "cuda")
    slow = line("goad", [9.0, 30.0, {"skipped": "30 s"}], "features", "cuda")
    found = verdicts(method, fast)
    assert found["SLAD is less efficient than others on many features (slad, GPU)"][0] == "holds"
    assert found["all take less than 25 s for 1,024 features (slad, GPU)"][0] == "holds"
    found = verdicts(method, fast, slow)
    verdict, evidence = found["SLAD is less efficient than others on many features (slad, GPU)"]
    assert verdict == "holds partly"
    assert "slower than 1 of 2" in evidence
    verdict, evidence = found["all take less than 25 s for 1,024 features (slad, GPU)"]
    assert verdict == "holds partly"
    assert "not measured, slower before: goad" in evidence


def test_the_claims_on_rows_compare_contrastive_models_and_dsvdd():
    records = [
        line("slad-released", [1.0, 2.0, 4.0]),
        line("neutral", [2.0, 4.0, 8.0]),
        line("icl", [8.0, 16.0, {"skipped": "16 s"}]),
        line("dsvdd", [0.1, 0.2, 5.0]),
    ]
    found = verdicts(*records)
    verdict, evidence = found["over rows, SLAD and contrastive models are comparable (slad, CPU)"]
    assert verdict == "holds partly"
    assert "icl 8 (at 8,000), neutral 2 (at 16,000)" in evidence
    verdict, evidence = found["DSVDD is fastest over rows (slad, CPU)"]
    assert (verdict, evidence) == ("holds partly", "at 2 of 3 sizes")


def test_the_reference_is_judged_by_its_own_times():
    records = [
        line("slad-released", [1.0, 2.0, 4.0], peer=[1.0, 2.0, 4.0]),
        line("dsvdd", [2.0, 4.0, 8.0], peer=[0.5, 0.6, 0.7]),
    ]
    found = verdicts(*records)
    assert found["DSVDD is fastest over rows (slad, CPU)"][0] == "does not hold"
    assert found["DSVDD is fastest over rows (reference, CPU)"][0] == "holds"
    assert "not checked" in {verdict for verdict, _ in found.values()}


def test_pictures_have_a_panel_for_each_device_and_axis():
    pytest.importorskip("matplotlib")
    records = [
        line("dsvdd", [1.0, 2.0, 3.0], axis, device, peer=[2.0, 3.0, 4.0])
        for axis in SIZES
        for device in ("cpu", "cuda")
    ]
    report = scalability.report(records)
    assert [picture.name for picture in report.pictures()] == ["curves-slad", "curves-reference"]
    with style():
        figure = report.pictures()[0].draw()
    titles = [axis.get_title(loc="left") for axis in figure.axes]
    assert titles == ["GPU: features", "GPU: rows", "CPU: features", "CPU: rows"]
    assert all(axis.get_yscale() == "log" for axis in figure.axes)
