"""The whole page: sound markup, nothing loaded, the same twice."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise

import made_up_findings as made_up
import odd_findings as odd
import pytest
from page_reader import Reader, drawn

from slad.model.findings import Findings
from slad.report import render, write_page


@pytest.fixture(params=odd.ODD, scope="module")
def page(request) -> str:
    return drawn(odd.ODD[request.param]())


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
    page = drawn(odd.hostile())
    assert "<img" not in page
    assert page.count("</script>") == 1
    assert odd.ATTACK[:9] in Reader(page).text
    page.encode()


def test_findings_without_cells_are_drawn_too():
    found = made_up.payments()
    found["rows"] = []
    found["columns"] = [{**each, "usual": "", "shape": None} for each in found["columns"]]
    assert "holds no single rows" in Reader(drawn(found)).text


def test_the_page_is_the_same_twice_and_also_after_a_round_through_json(tmp_path):
    found = Findings.from_json(made_up.payments())
    path = write_page(found, tmp_path / "page.html")
    again = Findings.from_json(json.loads(json.dumps(found.to_json())))
    assert path.read_text("utf-8") == render(again)
    assert list(tmp_path.iterdir()) == [path]


def test_the_policy_allows_the_page_s_own_style_and_script_by_their_digests():
    page = drawn(made_up.payments())
    (policy,) = re.findall('http-equiv="[^"]*" content="([^"]*)"', page)
    for element in ("style", "script"):
        (content,) = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy


def test_only_sections_that_are_there_are_linked():
    found = made_up.payments() | {"evaluation": None, "checks": [], "history": None}
    links = {a.get("href") for name, a in Reader(drawn(found)).elements if name == "a"}
    assert {"#scores", "#rows", "#reading"} <= links
    assert not {"#evaluation", "#checks"} & links


def test_notes_beyond_the_most_that_are_shown_are_counted():
    text = Reader(drawn(made_up.payments() | {"notes": [f"note {at}" for at in range(43)]})).text
    assert "note 39" in text
    assert "note 40" not in text
    assert "3 more notes are not shown." in text
