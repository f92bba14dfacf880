from __future__ import annotations

import csv

import pytest

from made_up_records import image_size, record, write
from slad_paper.pages import ablation
from slad_paper.pages.document import Table, as_markdown, as_text
from slad_paper.pages.records import read
from slad_paper.pages.write import write as write_report
from slad_paper.runner import printed
from slad_paper.runner.printed_ablation import BASE, table, variants

OURS = {variant.name: variant.ours for variant in variants()}
WEIGHTED = ("thyroid", "waveform", "pageblocks")


def runs(detector, dataset="thyroid", values=(0.9, 0.91, 0.89), **more):
    return [
        record(detector, dataset, value, model=42 + at, experiment="ablation", **more)
        for at, value in enumerate(values)
    ]


def report(folder, *records):
    return ablation.report(read(write(folder, *records)))


def tables(made):
    return [part for part in made.brief if isinstance(part, Table)]


def verdicts(made):
    return {row[0].text: (row[1].text, row[2].text) for row in tables(made)[0].rows}


def verdict(made, words):
    (found,) = (said for claim, said in verdicts(made).items() if words in claim)
    return found


def as_printed(folder, drop=()):
    """Records that say exactly what the paper prints."""
    records = []
    for row in printed.rows():
        numbers = table()[row.title]
        shown = {BASE: numbers.slad} | {
            OURS[name]: number.auc_roc for name, number in numbers.variants.items() if number
        }
        for detector, value in shown.items():
            for dataset in row.datasets if detector not in drop else ():
                records += runs(detector, dataset, [value] * 3)
    return report(folder, *records)


def test_the_rates_of_the_printed_numbers_are_the_printed_rates():
    for title, row in table().items():
        for name, number in row.variants.items():
            if number:
                rate = 100 * (row.slad / number.auc_roc - 1)
                # Computed by the authors from more digits: half a unit of each of the two.
                assert rate == pytest.approx(number.rate, abs=0.05 + 0.1 / number.auc_roc), (
                    title,
                    name,
                )


def test_the_printed_table_has_the_rows_of_the_main_one_and_its_gaps():
    assert list(table()) == [row.title for row in printed.rows()]
    gaps = {
        name: [title for title, row in table().items() if row.variants[name] is None]
        for name in OURS
    }
    assert gaps.pop("w/ T_Zero") == ["Thrombin"]
    assert len(gaps.pop("w/o G_ω")) == 7
    assert not any(gaps.values())


def test_under_the_paper_s_own_numbers_its_claims_hold(tmp_path):
    made = as_printed(tmp_path)
    said = {claim: found for claim, (found, _) in verdicts(made).items()}
    assert len(said) == 8
    assert set(said.values()) == {"holds"}
    where = verdict(made, "contrastive learning (w/ L_dcl)")[1]
    assert "better on 7 of 10 rows" in where
    assert "printed: 7 of 10" in where


def test_ours_stand_beside_the_printed_and_what_slad_wins_is_marked(tmp_path):
    made = report(
        tmp_path,
        *runs(BASE, values=(0.9, 0.9)),
        *runs(OURS["w/ T_Zero"], values=(0.75, 0.75)),
        *runs(OURS["w/ L_mse"], values=(0.95, 0.97)),
    )
    first, second = tables(made)[1:]
    assert [cell.text for cell in first.rows[0]][:5] == [
        "Thyroid",
        "0.900 ± 0.000",
        "0.995",
        "0.750 ± 0.000 (+20.0 %)",
        "0.992 (+0.3 %)",
    ]
    assert [cell.best for cell in first.rows[0]][3:5] == [True, True]
    line = dict(zip(second.header, second.rows[0], strict=True))
    assert line["w/ L_mse"].text == "0.960 ± 0.010 (-6.2 %)"
    assert not line["w/ L_mse"].best
    assert [cell.text for cell in first.rows[-1]][3:5] == ["+20.0 %", "+0.3 %"]
    for shown in (as_text(made), as_markdown(made)):
        assert "Waveform" in shown  # among those without records


def test_mvtec_is_the_mean_of_its_sets_seed_by_seed(tmp_path):
    sets = next(row for row in printed.rows() if row.title == "MVTec (tab)").datasets
    records = [
        each
        for at, dataset in enumerate(sets)
        for each in (
            *runs(BASE, dataset, (0.5 + 0.02 * at, 0.6)),
            *runs(OURS["w/ T_MLP"], dataset, (0.5, 0.5)),
        )
    ]
    row = tables(report(tmp_path, *records))[1].rows[0]
    assert row[1].text == "0.620 ± 0.020"
    assert row[5].text == "0.500 ± 0.000 (+24.0 %)"


def test_a_win_within_the_spread_of_the_seeds_is_no_clear_one(tmp_path):
    noisy = report(
        tmp_path,
        *runs(BASE, values=(0.9, 0.8, 0.9)),
        *runs(OURS["w/ T_Zero"], values=(0.8, 0.9, 0.85)),
    )
    found, where = verdict(noisy, "T_Zero")
    assert found == "holds partly"
    assert "clearly better on 0" in where
    paired = report(
        tmp_path / "paired",
        *runs(BASE, values=(0.9, 0.8, 0.9)),
        *runs(OURS["w/ T_Zero"], values=(0.89, 0.79, 0.89)),  # less with every seed
    )
    assert verdict(paired, "T_Zero")[0] == "holds"


@pytest.mark.parametrize(
    ("without", "expected"),
    [(0.858, "holds"), (0.890, "holds partly"), (0.91, "does not hold")],
)
def test_what_weights_bring_on_thyroid_is_judged_by_its_size(tmp_path, without, expected):
    made = report(
        tmp_path,
        *runs(BASE, values=(0.9, 0.9)),
        *runs(OURS["w/o G_ω"], values=(without, without)),
    )
    assert verdict(made, "approximate 5 %")[0] == expected


def test_where_the_variants_are_better_the_claims_do_not_hold(tmp_path):
    records = [
        each
        for dataset in ("thyroid", "bank")
        for name, value in {BASE: 0.7, **dict.fromkeys(OURS.values(), 0.8)}.items()
        for each in runs(name, dataset, (value, value))
        if name != OURS["w/o G_ω"] or dataset in WEIGHTED
    ]
    found = verdicts(report(tmp_path, *records))
    assert {said for said, _ in found.values()} == {"does not hold"}


def test_what_was_refused_is_out_of_memory_and_what_never_ran_is_a_dash(tmp_path):
    refused = runs(
        OURS["w/ T_Zero"],
        "thrombin",
        reason="ResourceError: maps='zero_padding' pads to the table's 139351 features: 77.7 GB",
    )
    made = report(
        tmp_path,
        *runs(BASE, "thrombin"),
        *[each | {"status": "refused"} for each in refused],
        *runs(OURS["w/ L_ce"], "thrombin", reason="TrainingError: nan"),
    )
    row = dict(zip(tables(made)[1].header, tables(made)[1].rows[0], strict=True))
    assert row["w/ T_Zero"].text == "OOM"
    assert row["w/o G_ω"].text == "–"
    text = as_text(made)
    assert "77.7 GB" in text
    assert "failed: TrainingError" in text
    assert not verdicts(made)


def test_the_data_file_and_the_picture_are_written(tmp_path):
    made = as_printed(tmp_path / "records")
    paths = write_report(made, tmp_path / "out")
    with open(tmp_path / "out" / "ablation-cells.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10 * 6
    thyroid = next(
        row for row in rows if (row["dataset"], row["variant"]) == ("Thyroid", "w/ L_ce")
    )
    assert float(thyroid["improvement_percent"]) == pytest.approx(47.6, abs=0.05)
    assert thyroid["clear"] == "true"
    (picture,) = (path for path in paths if path.suffix == ".svg")
    width, height = image_size(picture)
    assert 1000 < width < 1800
    assert height < 1500
