"""Samples from a server that fails in every way that servers do."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from mbxp_metric.generation import GenerationError, GenerationSettings, PromptBuilder
from mbxp_metric.generation.endpoint import APIS, Endpoint, generate
from mbxp_metric.generation.infilling import infilling_format
from mbxp_metric.generation.retrying import Retries
from mbxp_metric.generation.tasks import TaskSet
from tests.generation.endpoint_app import App, serving, text_of

KEY = "sk-secret-of-the-user"
FAST = Retries(attempts=5, first=0.01, longest=0.02)
ROWS: list[dict[str, Any]] = [
    {
        "task_id": f"T/{number}",
        "language": "python",
        "prompt": f"def f{number}():\n" + "    # more\n" * number,
        "entry_point": f"f{number}",
    }
    for number in range(4)
]


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setenv("HF_TOKEN", "hf_of_the_user_and_for_the_hub_alone")
    with serving() as app:
        yield app


def _endpoint(app: App, api: str = "completions", **values: Any) -> Endpoint:
    settings = {"key": KEY, "retries": FAST, "timeout": 1, "concurrency": 3, **values}
    return Endpoint(app.url, "tiny", api, **settings)


def _settings(api: str, n: int = 2, **values: Any) -> GenerationSettings:
    return GenerationSettings(n=n, style="chat" if api == "chat" else "plain", **values)


def _sample(app: App, api: str = "completions", n: int = 2, **values: Any) -> dict[Any, str]:
    settings = _settings(api, n)
    requests = list(PromptBuilder(settings).requests(ROWS))
    return {r.key: text for r, text in _endpoint(app, api, **values)(requests, settings)}


def _expected(api: str, n: int = 2) -> dict[Any, str]:
    requests = PromptBuilder(_settings(api, n)).requests(ROWS)
    return {r.key: text_of(r.prompt, r.seed % 2**31) for r in requests}


@pytest.mark.parametrize("api", APIS)
def test_each_interface_gives_each_sample_by_its_own_seed(app: App, api: str) -> None:
    app.delay = 0.05
    assert _sample(app, api) == _expected(api)
    assert len(app.asked) == 8
    assert 1 < app.most_at_once <= 3


@pytest.mark.parametrize("url", ["", "/", "/v1", "/v1/", "/v1/completions"])
def test_the_url_may_have_the_interface_in_it(app: App, url: str) -> None:
    app.url += url
    assert _sample(app) == _expected("completions")


@pytest.mark.parametrize("api", APIS)
def test_greedy_and_sampled_requests_say_what_they_need(app: App, api: str) -> None:
    for settings in (_settings(api, 1), _settings(api, 2, temperature=1.2, top_k=7)):
        requests = list(PromptBuilder(settings).requests(ROWS[:1]))
        list(_endpoint(app, api)(requests[:1], settings))
    (_, greedy), (_, sampled) = app.asked
    greedy, sampled = (each.get("parameters", each) for each in (greedy, sampled))
    assert "top_p" not in greedy
    assert not greedy.get("temperature")
    assert (sampled["temperature"], sampled["top_p"], sampled["top_k"]) == (1.2, 0.95, 7)
    assert sampled["max_new_tokens" if api == "tgi" else "max_tokens"] == 256


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", [429, 500, 502, 503, 504, 408, "cut", "reset", "slow", "garbage"])
def test_what_hinders_for_a_time_is_asked_again(app: App, api: str, fault: Any) -> None:
    app.faults = [fault, None, fault]
    assert _sample(app, api, n=1) == _expected(api, 1)
    assert len(app.asked) == 6


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_ends_at_once_and_in_one_line(app: App, api: str, status: int) -> None:
    app.faults = [status] * 99
    with pytest.raises(GenerationError) as caught:
        _sample(app, api)
    message = str(caught.value)
    assert f"fault {status}" in message
    assert "\n" not in message
    assert KEY not in message
    assert len(app.asked) <= 3


def test_a_server_that_never_recovers_is_given_up_after_what_came_was_given(app: App) -> None:
    app.faults = [None, None, *[500] * 99]
    settings = _settings("completions")
    got: list[Any] = []
    requests = PromptBuilder(settings).requests(ROWS)
    answers = _endpoint(app, concurrency=1)(requests, settings)
    with pytest.raises(GenerationError, match="given up after 5 attempts"):
        got += (request.key for request, _ in answers)
    assert len(app.asked) == 7
    assert len(got) == 2


def test_no_server_at_all_is_one_line(app: App) -> None:
    endpoint = Endpoint("http://127.0.0.1:9", "tiny", retries=Retries(2, 0.01))
    settings = _settings("completions", 1)
    with pytest.raises(GenerationError, match="given up after 2 attempts"):
        list(endpoint(PromptBuilder(settings).requests(ROWS), settings))


@pytest.mark.parametrize("as_date", [False, True])
def test_a_pause_that_the_server_asks_for_holds_for_all(app: App, as_date: bool) -> None:
    # A date has whole seconds only.
    moment = datetime.now(timezone.utc) + timedelta(seconds=2)
    app.faults = [(429, format_datetime(moment, usegmt=True) if as_date else 1)]
    start = time.monotonic()
    lines: list[str] = []
    settings = _settings("completions", 1)
    requests = PromptBuilder(settings).requests(ROWS)
    answers = _endpoint(app, concurrency=1)(requests, settings, lines.append)
    assert len(list(answers)) == 4
    assert time.monotonic() - start > 0.9
    assert ["429" in line for line in lines] == [True]
    assert KEY not in lines[0]


def test_only_the_key_that_was_given_is_sent_and_nothing_shows_it(app: App) -> None:
    _sample(app)
    assert app.keys == {f"Bearer {KEY}"}
    app.keys.clear()
    for api in APIS:
        _sample(app, api, key=None)
    assert app.keys == {"Bearer none"}
    assert KEY not in repr(_endpoint(app))


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("localhost:8000", "http://host:port"),
        ("http://me:word@localhost", "password"),
        ("http://localhost/v1?api-key=word", "query"),
    ],
)
def test_a_url_that_cannot_be_written_down_is_refused(url: str, word: str) -> None:
    with pytest.raises(GenerationError, match=word) as caught:
        Endpoint(url, "tiny")
    assert ":word" not in str(caught.value)
    assert "=word" not in str(caught.value)


def test_a_run_that_was_cut_off_goes_on_without_loss_or_double(app: App, tmp_path: Path) -> None:
    settings = _settings("completions", 3)
    sets = [TaskSet("four", "", ROWS)]
    app.faults = [None, None, None, None, 401]
    with pytest.raises(GenerationError, match="401"):
        generate(_endpoint(app), sets, settings, tmp_path)
    there = len((tmp_path / "samples.jsonl").read_text().splitlines())
    assert there >= 4
    assert generate(_endpoint(app), sets, settings, tmp_path).done == 12 - there
    rows = [json.loads(line) for line in (tmp_path / "samples.jsonl").read_text().splitlines()]
    keys = [(row["language"], row["task_id"], row["sample"]) for row in rows]
    assert keys == [request.key for request in PromptBuilder(settings).requests(ROWS)]
    assert len(app.asked) == 13
    about = json.loads((tmp_path / "generation.json").read_text())
    assert (about["model"], about["api"], about["n"]) == ("tiny", "completions", 3)
    assert not any(KEY in path.read_text() for path in tmp_path.iterdir())


def test_a_run_that_is_left_early_asks_nothing_more(app: App) -> None:
    app.delay = 0.05
    settings = _settings("completions", 50)
    answers = _endpoint(app)(PromptBuilder(settings).requests(ROWS), settings)
    next(answers)
    answers.close()
    time.sleep(0.3)
    asked = len(app.asked)
    time.sleep(0.2)
    assert len(app.asked) == asked < 20


def test_what_ends_a_sample_is_told_to_the_server(app: App) -> None:
    settings = _settings("completions", 1)
    builder = PromptBuilder(settings, infilling=infilling_format("starcoder"), local=False)
    contexts = {"variant": "i", "left_context": "a", "shown_right_context": "b"}
    requests = list(builder.requests([{**ROWS[0], **contexts}]))
    for api in ("completions", "tgi"):
        list(_endpoint(app, api)(requests, settings))
    first, second = (body for _, body in app.asked)
    assert first["prompt"] == second["inputs"] == "<fim_prefix>a<fim_suffix>b<fim_middle>"
    assert first["stop"] == second["parameters"]["stop"]
    assert len(first["stop"]) <= 4


def test_offline_is_told_before_anything_is_asked(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(GenerationError, match="HF_HUB_OFFLINE"):
        _sample(app)
    assert not app.asked
