from __future__ import annotations

from made_up_cases import case
from made_up_records import record, write
from slad_paper.pages import culprits, read_report
from slad_paper.pages.document import Notes, Report, as_markdown
from slad_paper.pages.gradients_claims import moments
from slad_paper.pages.names import ABOUT_SUBSPACES, explained
from slad_paper.pages.tables import table

OLD, NEW = {"environment": {"slad": "0.1.0"}}, {"environment": {"slad": "0.2.0"}}


def test_the_default_of_old_records_has_its_name_of_today(tmp_path):
    runs = [record("slad", "6_cardio", experiment="adbench", **OLD)]
    runs += [record("slad", "7_x", experiment="adbench", **NEW)]
    shown = {
        row["detector"]: row["dataset"] for row in read_report(write(tmp_path, *runs)).data["runs"]
    }
    assert shown == {"neighbor-scale": "6_cardio", "slad": "7_x"}


def test_the_former_settings_of_slad_are_explained_where_a_table_has_them():
    plain = Report("x", "T", [table(["detector"], [["slad"]])])
    assert explained(plain) == plain
    for part in (table(["", "occlusion (slad-subspaces)"], []), table(["a"], [["slad-subspaces"]])):
        made = explained(Report("x", "T", [], details=[part]))
        assert made.brief == [Notes([ABOUT_SUBSPACES])]
        assert "SLAD(epochs=10)" in as_markdown(made)


def test_the_default_settings_of_an_old_study_are_those_of_slad_subspaces():
    about = {"sum": 1.0, "single": 1.0, "spread": 1.0, "mean": 1.0}
    part = {"inliers": about, "anomalies": about, "cosine": 0.0}
    result = {"rows": [{"epoch": 0, "output": part, "all": part}], "inliers": 9, "anomalies": 1}
    settings = {"dataset": "thyroid", "recipe": "default", "epochs": [0]}
    for version, recipe in (("0.1.0", "slad-subspaces"), ("0.2.0", "default")):
        made_up = case("gradients", "thyroid-default", settings, result, slad=version)
        assert {each.recipe for each in moments([made_up])} == {recipe}


def test_the_page_on_culprits_reads_old_names():
    assert culprits.WAYS["occlusion (neighbor-scale)"] == ("neighbor-scale", "occlusion")
