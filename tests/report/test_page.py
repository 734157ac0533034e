"""The page in a real browser: what it shows, how it is used, and that nothing in it runs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.report import build_report, read_results
from tests.report.made import make_results, written

playwright = pytest.importorskip("playwright.sync_api")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")

HOSTILE = (
    "</script><script>window.ran = 1</script><img src=x onerror='window.ran = 2'>"
    "<svg onload='window.ran = 3'>&amp;<!--<script>\u2028\u2029\ud800\x00 ]]> ${x} `"
)

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if BROWSER is None:
        pytest.skip("no chromium here: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two models in three languages with ten samples a problem, hostile texts among them."""

    def texts(task_id: str, sample: int, letter: str) -> dict[str, Any]:
        if task_id == "MBKP/3" and letter == "R":
            return {"completion": HOSTILE, "stdout": HOSTILE, "stderr": f"needle {HOSTILE}"}
        return written(task_id, sample, letter)

    folder = tmp_path_factory.mktemp("report")
    many = {str(i): ("P" * (i % 11)).ljust(10, "W") for i in range(200)}
    first = {"kotlin": {**many, "3": "PPPWWWWWWR"}, "python": many, "go": many}
    runs = [
        make_results(folder / "a", first, {"model": HOSTILE}, texts=texts, k=(1, 10)),
        make_results(folder / "b", {"kotlin": many}, {"model": "other-2B"}, k=(1, 10)),
        make_results(
            folder / "i",
            {"kotlin": {"7/i0": "W"}},
            {"model": "other-2B"},
            variant="i-",
            columns={"right_context": "\n    after the gap\n"},
        ),
    ]
    build_report(read_results(runs), folder / "out", plots=False)
    return (folder / "out" / "index.html").as_uri()


@pytest.fixture
def page(browser: Any, report: str) -> Iterator[Open]:
    """Opens the report; any error on its console, any request and any dialog is a failure."""
    faults: list[str] = []
    pages = []

    def opened(route: str = "", **options: Any) -> Any:
        page = browser.new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        page.set_default_timeout(10_000)
        pages.append(page)
        page.on("console", lambda message: faults.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: faults.append(request.url) if _foreign(request) else 0)
        page.goto(report + route)
        return page

    yield opened
    for page in pages:
        assert page.evaluate("window.ran") is None
        page.close()
    assert faults == []


def _foreign(request: Any) -> bool:
    return not request.url.startswith(("file:", "data:"))


def text_of(page: Any, selector: str) -> str:
    return str(page.inner_text(selector))


def count_of(page: Any) -> int:
    """The number of problems that the list says it has."""
    page.wait_for_function(
        "() => /^[\\d,]+ problems?( with|$)/.test(document.querySelector('.found')?.textContent)"
    )
    return int(text_of(page, ".found").split()[0].replace(",", ""))


def test_the_first_view_has_models_by_languages(page: Open) -> None:
    shown = page()
    cells = shown.locator("a.cell")
    assert cells.count() == 5
    assert shown.locator(".matrix thead th").all_inner_texts()[1:] == ["python", "kotlin", "go"]
    before = cells.first.inner_text()
    shown.get_by_role("button", name="pass@10").click()
    assert cells.first.inner_text() != before
    bars = shown.locator(".bars").first.locator("a")
    assert bars.all_inner_texts() == ["python", "kotlin", "go"]
    assert shown.locator(".stack").first.get_attribute("aria-label").startswith("PASSED ")
    assert "[object" not in shown.content()


def test_a_failing_sample_is_reached_by_clicks(page: Open) -> None:
    shown = page()
    shown.locator("tr", has_text="other-2B").locator("a.cell").first.click()
    shown.locator(".filters button", has_text="wrong answer").click()
    assert count_of(shown) == 182  # all but those with ten of ten
    shown.locator(".row", has_text="MBKP/1").first.click()
    shown.wait_for_selector("pre.program")
    assert "wrong answer" in text_of(shown, ".facts")
    assert "sample 2 of 10" in text_of(shown, ".facts")
    assert "# MBKP/1: return a number" in text_of(shown, "pre.program .given")
    assert "return 1" in text_of(shown, "pre.program .written")
    assert "WRONG_ANSWER in MBKP/1, sample 1" in text_of(shown, ".detail")
    shown.go_back()
    shown.wait_for_selector(".detail .empty")


def test_a_problem_leads_to_itself_in_other_languages_and_of_other_models(page: Open) -> None:
    shown = page("#s=0&task=MBKP%2F5")
    shown.wait_for_selector(".others a")
    assert shown.locator(".others a").count() == 4
    shown.locator(".others a", has_text="python").click()
    shown.wait_for_function("() => document.querySelector('.detail h1').innerText.includes('MBPP')")


def test_search_finds_names_and_what_stands_in_texts(page: Open) -> None:
    shown = page("#s=0")
    shown.fill("#find", "MBKP/19")
    shown.wait_for_function("() => location.hash.includes('q=')")
    assert count_of(shown) == 11
    shown.fill("#find", "needle")
    shown.wait_for_function("() => location.hash.includes('needle')")
    shown.wait_for_selector(".found:text-matches('^1 problem with')")
    shown.fill("#find", "")
    shown.wait_for_selector(".found:text('200 problems')")


def test_a_search_from_the_first_view_is_in_every_score(page: Open) -> None:
    shown = page()
    shown.fill("#find", "sample 9 needle")
    shown.wait_for_selector(".found:text-matches('^(0|1) problems? with')")
    shown.fill("#find", "needle")
    shown.wait_for_selector(".found:text-matches('^1 problem with .needle')")
    shown.locator(".row").first.click()
    shown.wait_for_selector("pre.program")
    assert "MBKP/3" in text_of(shown, ".detail h1")


def test_problems_are_sorted_by_difficulty(page: Open) -> None:
    shown = page("#s=1")
    shown.select_option(".filters select", "easy")
    shown.wait_for_selector(".row:first-child:has-text('10 of 10')")
    shown.select_option(".filters select", "hard")
    shown.wait_for_selector(".row:first-child:has-text('0 of 10')")


def test_everything_can_be_done_by_keys(page: Open) -> None:
    shown = page()
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("Enter")
    shown.wait_for_selector(".row")
    assert count_of(shown) == 200
    shown.keyboard.press("f")
    shown.wait_for_selector(".found:text('182 problems')")
    shown.keyboard.press("j")
    shown.wait_for_selector("pre.program")
    first = text_of(shown, ".detail h1")
    shown.keyboard.press("ArrowDown")
    shown.wait_for_function(
        "was => document.querySelector('.detail h1').innerText !== was", arg=first
    )
    shown.keyboard.press("k")
    shown.wait_for_function(
        "was => document.querySelector('.detail h1').innerText === was", arg=first
    )
    shown.keyboard.press("ArrowRight")
    shown.wait_for_selector(".facts:has-text('sample 2 of 10')")
    shown.keyboard.press("/")
    assert shown.evaluate("document.activeElement.id") == "find"
    shown.keyboard.press("Escape")
    for _ in range(2):
        shown.keyboard.press("Escape")
    shown.wait_for_selector(".overview")
    shown.keyboard.press("?")
    assert shown.locator("#help").is_visible()
    shown.keyboard.press("Escape")
    assert not shown.locator("#help").is_visible()


def test_what_models_wrote_is_shown_and_never_run(page: Open) -> None:
    shown = page("#s=0&task=MBKP%2F3&n=9")
    shown.wait_for_selector("pre.program")
    shown.wait_for_timeout(200)
    code = shown.evaluate("document.querySelector('pre.program .written').textContent")
    assert code == HOSTILE  # every character of it, the lone surrogate and the NUL too
    assert shown.locator("img, script:not([type])").count() == 1  # the page's own script
    shown = page()
    assert "onerror" in text_of(shown, ".matrix")
    assert shown.locator("img").count() == 0


def test_no_character_of_the_file_ends_its_data(report: str) -> None:
    text = Path(report.removeprefix("file://")).read_text(encoding="utf-8")
    assert text.count("</script>") == len(re.findall(r"<script[ >]", text))
    assert not re.search(r"[\x00\u2028\u2029]", text)
    assert not re.search(r"https?://(?!www\.w3\.org)", text)


def test_an_insertion_is_shown_between_its_contexts(page: Open) -> None:
    shown = page("#s=4&task=MBKP%2F7%2Fi0")
    shown.wait_for_selector("pre.program")
    parts = shown.locator("pre.program > span")
    assert [parts.nth(i).get_attribute("class") for i in range(3)] == ["given", "written", "given"]
    assert "after the gap" in parts.nth(2).inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_choice(page: Open, scheme: str) -> None:
    def ground() -> int:
        colour = shown.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3]))

    shown = page(color_scheme=scheme)
    assert (ground() > 600) == (scheme == "light")
    shown.keyboard.press("t")
    assert (ground() > 600) == (scheme == "dark")


ROUTES = ("", "#s=0", "#s=0&task=MBKP%2F3&n=9", "#q=needle")


@pytest.mark.parametrize("width", [360, 820, 1280])
def test_no_width_needs_scrolling_sideways(page: Open, width: int) -> None:
    shown = page(viewport={"width": width, "height": 780})
    for route in ROUTES:
        shown.evaluate("route => { location.hash = route; }", route)
        shown.wait_for_selector(".row" if route else ".cell", state="attached")
        shown.wait_for_timeout(150)
        for element in ("document.documentElement", "document.querySelector('main')"):
            assert shown.evaluate(f"{element}.scrollWidth <= {element}.clientWidth"), route


def test_a_phone_shows_list_and_problem_one_after_the_other(page: Open) -> None:
    shown = page("#s=0", viewport={"width": 390, "height": 844}, has_touch=True)
    shown.locator(".row").nth(2).tap()
    shown.wait_for_selector("pre.program")
    assert not shown.locator(".side").is_visible()
    shown.get_by_text("all problems").tap()
    shown.wait_for_selector(".row >> visible=true")
    assert not shown.locator(".detail").is_visible()
