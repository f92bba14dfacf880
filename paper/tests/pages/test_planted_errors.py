"""The page on planted errors, from made-up records."""

from __future__ import annotations

from made_up_cases import case
from slad_paper.pages.document import as_markdown
from slad_paper.pages.planted_errors import report


def found(table: str, detector: str, *precisions: float):
    settings = {"table": table, "detector": detector, "rows": 3000, "each": 10, "seeds": [0, 1]}
    draws = [
        {
            "seed": seed,
            "rows": 500,
            "precision": precision,
            "errors": {"typo": 10, "unit": 10},
            "found": {"typo": precision, "unit": 0.0},
            "places": {"typo": [0.0, 0.1], "unit": [0.5]},
        }
        for seed, precision in enumerate(precisions)
    ]
    about = {"source": "package: file.csv", "version": "1.0", "licence": "MIT", "about": "rows"}
    result = about | {"columns": 7, "draws": draws}
    return case("planted-errors", f"{table}-{detector}", settings, result)


RECORDS = [
    found("cars", "knn-5", 0.4, 0.6),
    found("cars", "ecod", 0.2, 0.2),
    found("cars", "learned-signals", 0.8, 0.8),
    found("boats", "knn-5", 0.3, 0.3),
    found("boats", "ecod", 0.5, 0.5),
    found("boats", "learned-signals", 0.4, 0.4),
]


def text(records) -> str:
    """The page without its marks of what is best."""
    return as_markdown(report(records)).replace("**", "")


def test_a_detector_s_precision_is_the_mean_of_tables_of_the_mean_of_draws():
    page = text(RECORDS)
    assert "| knn-5 | 0.400 | 0.400 | 0.000 |" in page
    assert "| learned-signals | 0.600 | 0.600 | 0.000 |" in page


def test_the_candidate_is_held_against_the_best_mean_and_the_best_of_each_table():
    page = text(RECORDS)
    assert "1.50 times the mean precision of knn-5" in page
    assert "by more than 0.05 on 1 of 2 tables: boats by 0.100" in page
    assert "| ecod | 1.71 | 1 | 1 | -0.100 (boats) |" in page


def test_the_default_is_the_candidate_until_there_is_another():
    records = [found("cars", "knn-5", 0.5, 0.5), found("cars", "neighbor-scale", 0.4, 0.4)]
    assert "## neighbor-scale and the others" in text(records)
    assert "and the others" not in text(records[:1])


def test_a_table_that_a_detector_lacks_counts_for_none():
    page = text(RECORDS[:-1])
    assert "not every detector has a record: boats." in page
    assert "| knn-5 | 0.500 | 0.500 | 0.000 |" in page


def test_every_table_has_its_source_and_licence():
    assert "| boats | rows | package: file.csv (1.0) | MIT | 500 x 7 | 20 |" in text(RECORDS)
