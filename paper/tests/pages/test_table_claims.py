from __future__ import annotations

from made_up_records import main_table_runs, write
from slad_paper.pages import effectiveness
from slad_paper.pages.claims import FAILS, HEADER, HOLDS, PARTLY
from slad_paper.pages.document import Table
from slad_paper.pages.records import read


def main_table(folder, slad: float) -> dict[str, str]:
    """Claim -> verdict, of a main table in which every rival has 0.8 and 0.5."""
    report = effectiveness.report(read(write(folder, *main_table_runs(slad))))
    [table] = [p for p in report.brief if isinstance(p, Table) and p.header == HEADER]
    return {row[0].text: row[1].text for row in table.rows}


def test_slad_ahead_everywhere_makes_the_claims_of_the_main_table_hold(tmp_path):
    found = main_table(tmp_path, 0.99)
    assert found[
        "SLAD outperforms its contenders on eight of ten datasets (slad-released here)"
    ] == (HOLDS)
    assert found["on Waveform SLAD raises the best AUC-PR by 0.28 (slad-released here)"] == HOLDS
    assert (
        found["contrastive methods (ICL, NeuTraL, GOAD) are ahead of RCA, GAAL and DSVDD"] == FAILS
    )


def test_slad_behind_everywhere_makes_them_fail(tmp_path):
    found = main_table(tmp_path, 0.55)
    ours = [verdict for text, verdict in found.items() if "slad-released" in text]
    assert len(ours) == 4
    assert set(ours) == {FAILS}


def test_a_small_lead_holds_partly(tmp_path):
    found = main_table(tmp_path, 0.81)
    assert found["on Waveform SLAD raises the best AUC-PR by 0.28 (slad-released here)"] == PARTLY
