"""The page as people get it: in a real browser, from a folder, without any network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import odd_findings as odd
import pytest

from slad.model.findings import Findings
from slad.report import write_page

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"there is no browser here: none of {', '.join(NAMES)}")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=program, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name, findings in odd.ODD.items():
        write_page(Findings.from_json(findings()), folder / f"{name}.html")
    return folder


@pytest.fixture
def visit(browser, folder) -> Iterator[Any]:
    """Open a page by name; ends in failure if it asked for anything or complained."""
    complaints: list[str] = []
    contexts = []

    def opened(name: str = "payments", **more: Any) -> Any:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        address = (folder / f"{name}.html").as_uri()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda asked: None if asked.url == address else complaints.append(asked.url),
        )
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize("name", odd.ODD)
def test_it_fits_a_desk_and_a_phone_and_is_not_blank(visit, tmp_path, name):
    page = visit(name)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        shot = tmp_path / f"{width}.png"
        page.screenshot(path=str(shot))
        assert shot.stat().st_size > 10_000  # one colour alone takes a fifth of that
        assert page.locator("h1").is_visible()


def test_markup_in_cells_does_nothing(visit):
    page = visit("hostile")
    for details in page.locator("#list > li > details:not([open])").all()[:5]:
        details.locator("> summary").click()
    assert page.title() != "owned"
    assert page.locator("img").count() == 0
    assert "<img src=x" in page.locator("body").inner_text()


def test_the_policy_stops_a_script_that_gets_in_all_the_same(browser, folder, tmp_path):
    page = (folder / "payments.html").read_text("utf-8")
    bad = tmp_path / "bad.html"
    bad.write_text(page.replace("</main>", "<script>document.title='owned'</script></main>"))
    tab = browser.new_page()
    tab.goto(bad.as_uri())
    assert tab.title() != "owned"
    tab.close()


def test_a_row_opens_by_click_and_by_key(visit):
    page = visit()
    rows = page.locator("#list > li")
    second, third = rows.nth(1), rows.nth(2)
    assert not second.locator(".reasons").is_visible()
    second.locator("summary").first.click()
    assert second.locator(".reasons svg.strip, .reasons .where").first.is_visible()
    assert second.locator("table.values").is_visible()
    third.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert third.locator(".reasons").is_visible()


def test_filters_narrow_the_rows_down_and_reset_brings_them_back(visit):
    page = visit()
    shown = page.locator("#list > li:visible")
    everything = shown.count()
    page.get_by_label("Search").fill("reykjav")
    assert 0 < shown.count() < 40
    assert all("Reykjavík" in text for text in shown.all_text_contents())
    page.get_by_label("In column").select_option(label="amount")
    assert shown.count() == 0
    assert page.get_by_text("No row matches.").is_visible()
    page.get_by_role("button", name="Show all").click()
    playwright.expect(shown).to_have_count(everything)
    page.get_by_label("Decision").select_option("unsure")
    assert {row.get_attribute("data-decision") for row in shown.all()} == {"unsure"}
    assert page.locator("#shown").text_content() == f"{shown.count()} of 40 rows"


def test_a_blamed_column_leads_to_its_rows(visit):
    page = visit()
    page.locator(".blame a", has_text="city").click()
    page.wait_for_function("document.querySelector('#shown').textContent.includes(' of ')")
    shown = page.locator("#list > li:visible")
    number = page.locator("#reason").input_value()
    assert shown.count() > 0
    assert all(number in row.get_attribute("data-blamed").split() for row in shown.all())


def test_a_long_list_begins_short_and_goes_on(visit):
    page = visit()
    shown = page.locator("#list > li:visible")
    assert shown.count() == 25
    page.get_by_role("button", name="Show 15 more rows").click()
    assert shown.count() == 40


@pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
def test_light_and_dark_follow_the_system_and_the_switch(visit, scheme, other):
    page = visit(color_scheme=scheme)

    def brightness() -> float:
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(int(part) for part in paper.strip("rgb()").split(",")) / 3

    assert (brightness() > 128) == (scheme == "light")
    page.get_by_role("button", name="Switch between light and dark").click()
    assert (brightness() > 128) == (other == "light")
    page.wait_for_timeout(300)  # the browser stores the choice a moment later
    page.reload()
    assert (brightness() > 128) == (other == "light")


def test_without_scripts_rows_still_open_and_no_dead_control_is_shown(visit):
    page = visit(java_script_enabled=False)
    assert page.locator("#list > li:visible").count() == 40
    assert page.locator("button:visible, form:visible").count() == 0
    second = page.locator("#list > li").nth(1)
    second.locator("summary").first.click()
    assert second.locator(".reasons").is_visible()


def test_on_paper_it_is_light_and_the_first_rows_are_open(visit, tmp_path):
    page = visit(color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#list > li > details[open]").count() == 5
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#list > li > details[open]").count() == 1
    page.emulate_media(media="print")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    assert not page.locator("#filters").is_visible()
    page.pdf(path=str(tmp_path / "page.pdf"))
    assert (tmp_path / "page.pdf").stat().st_size > 20_000


CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (c) => c.slice(0, 3)
    .map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = rgba(getComputedStyle(node).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const low = new Set();
  for (const node of document.querySelectorAll("main *, header *")) {
    const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.data.trim());
    if (!own || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    const ink = node.closest("svg") ? style.fill : style.color;
    const pair = [light(rgba(ink)), light(behind(node))].sort((a, b) => b - a);
    if ((pair[0] + 0.05) / (pair[1] + 0.05) < 4.5) low.add(`${node.tagName}.${node.className}`);
  }
  return [...low];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_ground_as_wcag_asks(visit, scheme):
    assert visit(color_scheme=scheme).evaluate(CONTRASTS) == []
