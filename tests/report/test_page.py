from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise

import made_up_findings as made_up
import odd_findings as odd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.core.errors import DataError
from slad.report import render, write_page
from slad.report.limits import LARGEST, STEPS
from slad.report.markup import escaped, tag
from slad.report.rows import decision
from slad.report.shapes import place
from slad.report.summary import headline

VOID = {"meta", "input"}


class Reader(HTMLParser):
    """What a browser would see: elements with their attributes, and texts by element."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


@pytest.fixture(params=odd.ODD, scope="module")
def page(request) -> str:
    return render(odd.ODD[request.param]())


@pytest.fixture(scope="module")
def seen(page) -> Reader:
    return Reader(page)


def test_every_element_is_closed_where_it_should_be(seen):
    assert seen.open == []


def test_nothing_is_loaded_and_nothing_but_the_own_script_may_run(page, seen):
    elements = seen.elements
    for name, attributes in elements:
        assert name not in {"img", "link", "iframe", "object", "embed", "base", "image"}
        assert not any(key.startswith("on") or key in ("src", "style") for key in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert sum(name == "script" for name, _ in elements) == 1
    policy = next(a["content"] for _, a in elements if "http-equiv" in a)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "url(" not in page
    assert "@import" not in page


def test_ids_and_what_refers_to_them_fit_together(seen):
    elements = seen.elements
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in elements:
        for key in ("href", "aria-labelledby"):
            if key in attributes:
                assert attributes[key].removeprefix("#") in ids


def test_headings_go_down_one_step_at_a_time(seen):
    levels = [int(name[1]) for name, _ in seen.elements if re.fullmatch("h[1-6]", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_no_number_that_is_none_reaches_the_reader(seen):
    assert not re.search(r"\b(None|nan|inf|True|False)\b", seen.text.replace("None of", ""))


def test_markup_in_cells_is_shown_as_text():
    page = render(odd.hostile())
    assert "<img" not in page
    assert page.count("</script>") == 1
    assert odd.ATTACK[:9] in Reader(page).text
    page.encode()


@given(st.text(st.characters()))
def test_no_text_becomes_an_element_or_breaks_an_attribute(text):
    seen = Reader(f"<p>{tag('b', text, title=text)}</p>")
    assert [name for name, _ in seen.elements] == ["p", "b"]
    escaped(text).encode()


def test_two_hundred_rows_of_three_hundred_columns_stay_small_with_the_reasons_first():
    found = odd.wide()
    page = render(found)
    assert len(page.encode()) < LARGEST
    assert page.count('<li id="row-') == 200
    assert "further columns of less weight left out" in page
    row = found["rows"][50]
    table = page.partition(f'id="row-{row["row"]}"')[2].partition('class="values"')[2]
    first = re.findall(r'<th scope="row">(\w+)', table)[:5]
    assert first == [reason["columns"][0] for reason in row["reasons"]]


def test_even_cells_of_nothing_but_quotes_stay_below_the_limit():
    page = render(odd.wide(text='"&<' * 100))
    assert len(page.encode()) < LARGEST
    assert page.endswith("</html>\n")


def test_limits_only_get_tighter():
    for before, after in pairwise(STEPS):
        assert all(getattr(after, name) <= getattr(before, name) for name in vars(before))


@pytest.mark.parametrize(
    ("rows", "flagged", "sentence"),
    [
        (1000, 12, "12 of 1,000 rows stand out"),
        (1000, 1, "1 of 1,000 rows stands out"),
        (1000, 0, "None of 1,000 rows stands out"),
        (1, 0, "The only row looks usual"),
    ],
)
def test_the_answer_is_a_sentence(rows, flagged, sentence):
    assert headline({"rows": rows, "flagged": flagged}) == sentence


def test_the_answer_tells_on_which_side_the_rows_too_close_to_call_are():
    found = made_up.payments()
    found["counts"]["unsure"] = 3
    for at, row in enumerate(found["rows"]):
        row["unsure"] = at in (10, 11, 12)
    assert "2 of them and 1 other row lie so close" in Reader(render(found)).text


@pytest.mark.parametrize(
    ("flagged", "unsure", "expected"),
    [(True, False, "strange"), (True, True, "unsure"), (False, True, "unsure")],
)
def test_a_row_too_close_to_the_threshold_is_neither_strange_nor_usual(flagged, unsure, expected):
    assert decision({"flagged": flagged, "unsure": unsure}) == expected


NUMBERS = made_up.column("x", shape={"edges": [0, 1, 2, 3, 4], "counts": [1, 0, 8, 1]})
LEVELS = made_up.column("x", shape={"levels": ["True", "two  words", "3.0"], "counts": [6, 3, 1]})
TIMES = made_up.column("x", "time", shape={"edges": [0, 86400], "counts": [1]})


@pytest.mark.parametrize(
    ("column", "value", "at", "words"),
    [
        (NUMBERS, "2.5", 0.595, "higher than 50\xa0% of the values"),
        (NUMBERS, "0.5", 0.215, "lower than 95\xa0% of the values"),
        (NUMBERS, "1.5", 0.405, "in a gap where no value was seen"),
        (NUMBERS, "1e9", 1.0, "higher than nearly all values seen"),
        (NUMBERS, "-4", 0.06, "lower than nearly all values seen"),
        (NUMBERS, "missing", None, "0\xa0% of the rows have no value here"),
        (TIMES, "1970-01-03 00:00:00", 0.94, "later than nearly all values seen"),
        (TIMES, "1970-01-01 02:00:00+02:00", 0.12, "earlier than nearly all values"),
        (LEVELS, "true", 0.264, "60\xa0% of the values are this one"),
        (LEVELS, "two wor…", 0.66, "30\xa0% of the values are this one"),
        (LEVELS, "3", 0.836, "10\xa0% of the values are this one"),
        (LEVELS, "other", 0.94, "not among the common values"),
    ],
)
def test_a_value_is_placed_among_those_of_its_column(column, value, at, words):
    found = place(column, value)
    assert found.words == words
    assert found.at == (at if at is None else pytest.approx(at))


@pytest.mark.parametrize("value", ["infinite", "", "12 apples"])
def test_a_value_that_is_no_number_is_not_placed(value):
    assert place(NUMBERS, value) is None


def test_findings_without_cells_are_drawn_too():
    found = made_up.payments()
    found["rows"] = []
    found["columns"] = [{**each, "usual": "", "shape": None} for each in found["columns"]]
    assert "hold no single rows" in Reader(render(found)).text


def test_the_page_is_the_same_twice_and_also_after_a_round_through_json(tmp_path):
    found = made_up.payments()
    path = write_page(found, tmp_path / "page.html")
    assert path.read_text("utf-8") == render(json.loads(json.dumps(found)))
    assert list(tmp_path.iterdir()) == [path]


def test_findings_of_another_kind_or_lacking_a_part_are_refused():
    found = made_up.payments()
    with pytest.raises(DataError, match="format=2"):
        render({**found, "format": 2})
    del found["blame"]
    with pytest.raises(DataError, match="blame"):
        render(found)
