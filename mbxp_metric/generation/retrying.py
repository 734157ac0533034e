"""Questions to a server, several at a time, asked again where it is hindered for a time."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar

from mbxp_metric.generation.settings import GenerationError

Question = TypeVar("Question")
_FOR_A_TIME = (408, 425, 429)
_TRANSPORTS = ("httpx", "httpx2", "httpcore", "httpcore2", "requests", "urllib3")
"""Modules whose errors are about the connection; huggingface_hub has used several."""
_MOST_OF_ANSWER = 300


@dataclass(frozen=True)
class Retries:
    """How long a server that fails is asked again."""

    attempts: int = 8
    """In all, for one question."""
    first: float = 1
    """Seconds before the second attempt; twice as many before each further one."""
    longest: float = 60
    longest_asked: float = 3600
    """The most that a server may ask for by `Retry-After`."""

    def pause(self, attempt: int) -> float:
        """Seconds to wait after so many attempts, scattered so that not all come back at once."""
        return min(self.longest, self.first * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1)


class _Given(Exception):
    """The work was given up while a question waited."""


class Concurrent(Generic[Question]):
    """Asks questions in threads; a pause that the server asks for holds for all of them."""

    def __init__(
        self,
        ask: Callable[[Question], str],
        concurrency: int,
        retries: Retries,
        name: str,
        secrets: Sequence[str] = (),
        told: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Args:
        ask: Called in several threads.
        name: Of the server, for messages.
        secrets: Texts that must not be in messages.
        told: Gets a line for each attempt that failed and is repeated.
        """
        self._ask = ask
        self._concurrency = concurrency
        self._retries = retries
        self._name = name
        self._secrets = secrets
        self._told = told
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._not_before = 0.0

    def answers(self, questions: Iterable[Question]) -> Iterator[tuple[Question, str]]:
        """The questions with their answers, as they come.

        Raises:
            GenerationError: the server refused or failed too often; after what was still asked
                by other threads has been answered.
        """
        waiting = iter(questions)
        results: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def work() -> None:
            try:
                while not self._ended.is_set():
                    with self._lock:
                        question = next(waiting, None)
                    if question is None:
                        break
                    results.put((question, self._answer(question)))
            except _Given:
                pass
            except BaseException as error:
                self._ended.set()
                results.put(error)
            finally:
                results.put(None)

        # Not a pool: it would keep an interrupted command alive until the last answer is there.
        for _ in range(self._concurrency):
            threading.Thread(target=work, daemon=True).start()
        failure: BaseException | None = None
        running = self._concurrency
        try:
            while running:
                found = results.get()
                if found is None:
                    running -= 1
                elif isinstance(found, BaseException):
                    failure = failure or found
                else:
                    yield found
        finally:
            self._ended.set()
        if failure is not None:
            raise failure

    def _answer(self, question: Question) -> str:
        attempt = 0
        while True:
            self._wait_until(self._not_before)
            attempt += 1
            try:
                return self._ask(question)
            except Exception as error:
                fault = _fault(error)
                if fault is None:
                    raise
                what = self._scrubbed(f"{self._name}: {fault.what}")
                if not fault.passing:
                    raise GenerationError(what) from None
                if attempt >= self._retries.attempts:
                    raise GenerationError(
                        f"{what}; given up after {attempt} attempts, the same command goes on"
                    ) from None
            pause = self._retries.pause(attempt)
            if fault.pause is not None:
                pause = max(pause, min(fault.pause, self._retries.longest_asked))
                self._not_before = max(self._not_before, time.monotonic() + pause)
            self._told(f"{what}; asked again in {pause:.0f} s")
            self._wait_until(time.monotonic() + pause)

    def _wait_until(self, moment: float) -> None:
        if self._ended.wait(max(0.0, moment - time.monotonic())):
            raise _Given

    def _scrubbed(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


@dataclass(frozen=True)
class _Fault:
    what: str
    passing: bool
    """Whether it may be gone the next time."""
    pause: float | None = None
    """Seconds that the server wants to be left alone."""


def _fault(error: Exception) -> _Fault | None:
    """What an exception of a request means; None if it is none of a request."""
    responses = (getattr(each, "response", None) for each in _chain(error))
    response = next((each for each in responses if each is not None), None)
    if response is not None:
        status = int(response.status_code)
        return _Fault(
            f"{status} {_said(response)}".strip(),
            status in _FOR_A_TIME or status >= 500,
            _seconds(response.headers.get("Retry-After")),
        )
    if isinstance(error, OSError) or type(error).__module__.partition(".")[0] in _TRANSPORTS:
        return _Fault(_one_line(f"{type(error).__name__}: {error}"), True)
    if isinstance(error, ValueError | KeyError | IndexError | TypeError | AttributeError):
        return _Fault(f"the answer cannot be read ({type(error).__name__}: {error})", True)
    return None


def _chain(error: BaseException | None) -> Iterator[Any]:
    while error is not None:
        yield error
        error = error.__cause__


def _said(response: Any) -> str:
    """The server's own words."""
    try:
        found = response.json()
        error = found.get("error", found) if isinstance(found, dict) else found
        text = error.get("message", error) if isinstance(error, dict) else error
    except Exception:
        text = getattr(response, "reason_phrase", "") or getattr(response, "reason", "")
    return _one_line(str(text))


def _one_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MOST_OF_ANSWER else text[:_MOST_OF_ANSWER] + "…"


def _seconds(header: str | None) -> float | None:
    """What `Retry-After` says, in seconds or as a date; None if that cannot be read."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
