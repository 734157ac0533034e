"""One queue: every job is answered once, load and faults of ours never cost a sample."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator

import pytest

from mbxp_metric.execution import Executor, Job, Program, Result, Settings, Verdict
from mbxp_metric.execution.launching import SandboxError
from mbxp_metric.execution.runner import Attempt, Runner


class FakeRunner:
    """Stands in for the runner: each job answers after a moment, by the text of its program."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.in_flight = self.most_in_flight = 0
        self.calls: list[tuple[int, int]] = []

    def __call__(self, runner: Runner, job: Job) -> Attempt:
        with self.guard:
            self.in_flight += 1
            self.most_in_flight = max(self.in_flight, self.most_in_flight)
            attempts = sum(index == job.index for index, _ in self.calls)
            self.calls.append((job.index, self.in_flight))
        time.sleep(0.02)
        with self.guard:
            self.in_flight -= 1
        text = job.program.head
        if text == "always broken" or (text == "broken once" and attempts == 0):
            raise SandboxError("worker died")
        slow = text == "slow" or (text == "slow under load" and attempts == 0)
        verdict = Verdict.TIMEOUT if slow else Verdict.PASSED
        return Attempt(
            Result(job.index, job.task_id, job.language, job.sample, verdict), doubtful=slow
        )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRunner:
    runner = FakeRunner()
    monkeypatch.setattr(Runner, "execute", lambda self, job, engine=None: runner(self, job))
    monkeypatch.setattr(Runner, "equip", lambda self, languages: {})
    return runner


def jobs(*texts: str) -> Iterator[Job]:
    for index, text in enumerate(texts):
        yield Job(index, f"T/{index}", 0, Program("python", text, "", "f"))


def verdicts(workers: int, *texts: str) -> list[Verdict]:
    settings = Settings(workers=workers, engine="cold", reuse=False)
    with Executor(settings) as executor:
        results = sorted(executor.execute(jobs(*texts)), key=lambda result: result.index)
    assert [result.index for result in results] == list(range(len(texts)))
    return [result.verdict for result in results]


def test_all_workers_are_busy_with_one_queue(fake: FakeRunner) -> None:
    assert verdicts(3, *["ok"] * 20) == [Verdict.PASSED] * 20
    assert fake.most_in_flight == 3


def test_a_timeout_under_load_is_run_again_alone_before_it_counts(fake: FakeRunner) -> None:
    expected = [Verdict.PASSED] * 5 + [Verdict.TIMEOUT]
    assert verdicts(3, *["ok"] * 4, "slow under load", "slow") == expected
    for index in (4, 5):
        first, second = (company for i, company in fake.calls if i == index)
        assert second == 1, first


def test_a_timeout_without_company_counts_at_once(fake: FakeRunner) -> None:
    assert verdicts(1, "slow", "ok") == [Verdict.TIMEOUT, Verdict.PASSED]
    assert [index for index, _ in fake.calls] == [0, 1]


def test_a_worker_that_dies_is_tried_again(fake: FakeRunner) -> None:
    assert verdicts(2, "broken once", "ok") == [Verdict.PASSED] * 2


def test_a_fault_that_stays_is_an_infra_error_and_the_run_goes_on(fake: FakeRunner) -> None:
    with Executor(Settings(workers=2, reuse=False)) as executor:
        found = {r.index: r for r in executor.execute(jobs("always broken", "ok"))}
    assert found[0].verdict is Verdict.INFRA_ERROR
    assert found[0].detail == "worker died"
    assert found[0].digest
    assert found[1].verdict is Verdict.PASSED


def test_jobs_are_read_only_as_fast_as_they_are_executed(fake: FakeRunner) -> None:
    taken = 0

    def endless() -> Iterator[Job]:
        nonlocal taken
        for taken in itertools.count(1):
            yield Job(taken, "T", taken, Program("python", "ok", "", "f"))

    with Executor(Settings(workers=2, reuse=False)) as executor:
        results = executor.execute(endless())
        for _ in range(10):
            next(results)
        results.close()  # type: ignore[attr-defined]
    assert taken <= 16


def test_closing_in_the_middle_ends_what_runs() -> None:
    def first_quick_then_slow() -> Iterator[Job]:
        for index in range(6):
            head = f"import time\ndef f():\n    time.sleep({100 if index else 0})\n"
            yield Job(index, "T", index, Program("python", head, "\ndef check(c): c()\n", "f"))

    start = time.monotonic()
    with Executor(Settings(workers=2, timeout=90, reuse=False)) as executor:
        results = executor.execute(first_quick_then_slow())
        assert next(results).index == 0
        results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - start < 60


def test_a_program_whose_launcher_is_killed_is_queued_again() -> None:
    head = "import time\ndef f():\n    time.sleep(2)\n"
    job = Job(0, "T", 0, Program("python", head, "\ndef check(c): c()\n", "f"))
    with Executor(Settings(workers=1, timeout=20, reuse=False)) as executor:
        executor.toolchains(["python"])
        timer = threading.Timer(1.0, executor._sandbox.interrupt)
        timer.start()
        (result,) = executor.execute([job])
    assert result.verdict is Verdict.PASSED


@pytest.mark.parametrize(
    "wrong", [{"timeout": 0}, {"workers": -1}, {"memory_mb": 0}, {"output_bytes": -1}]
)
def test_senseless_settings_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)  # type: ignore[arg-type]
