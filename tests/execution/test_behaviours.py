"""One table of behaviours, hostile ones included, for all languages."""

from __future__ import annotations

import dataclasses
import importlib
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mbxp_metric.execution import (
    LANGUAGES,
    Executor,
    Job,
    Result,
    Settings,
    ToolchainMissing,
    Verdict,
    assemble,
    runtime,
)

EXPECTED = {
    "pass": Verdict.PASSED,
    "wrong_answer": Verdict.WRONG_ANSWER,
    "compile_error": Verdict.COMPILE_ERROR,
    "runtime_error": Verdict.RUNTIME_ERROR,
    "deep_recursion": Verdict.RUNTIME_ERROR,
    "endless_loop": Verdict.TIMEOUT,
    "early_exit": Verdict.EARLY_EXIT,
    "forge_report": Verdict.EARLY_EXIT,
    "find_secret": Verdict.EARLY_EXIT,
    "big_output": Verdict.PASSED,
    "memory_hog": Verdict.OUT_OF_MEMORY,
    "fork_bomb": Verdict.TIMEOUT,
    "daemon": Verdict.PASSED,
    "network": Verdict.PASSED,
    "read_secrets": Verdict.PASSED,
    "write_outside": Verdict.PASSED,
    "non_utf8_output": Verdict.PASSED,
    "emoji": Verdict.PASSED,
}
"""The one right verdict. `early_exit_…` variants share that of `early_exit`; the programs that
replace what their test relies on (`CHEATS`) may fail in any way but never pass."""

CHEATS = ("redefine_helpers", "always_equal")
OPTIONAL = ("always_equal", "deep_recursion")
SETTINGS = Settings(timeout=5.0, compile_timeout=60.0, memory_mb=512, workers=2, reuse=False)


class Surroundings:
    """What hostile programs reach for: a listening port, planted files, a planted variable."""

    def __init__(self, root: Path) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()
        self.home_file = Path.home() / f".mbxp-test-secret-{os.getpid()}"
        self.home_file.write_text("planted")
        self.other_sample = root / "other-sample.txt"
        self.other_sample.write_text("planted")
        self.outside = root / "written-by-a-sample"
        for path in (root, *root.parents):
            if path.stat().st_uid == os.geteuid() and path != Path("/"):
                path.chmod(path.stat().st_mode | 0o755)
        root.chmod(0o777)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def fill(self, completion: str) -> str:
        values = {
            "PLACEHOLDER_PORT": str(self.listener.getsockname()[1]),
            "PLACEHOLDER_HOME_FILE": str(self.home_file),
            "PLACEHOLDER_OTHER_SAMPLE": str(self.other_sample),
            "PLACEHOLDER_OUTSIDE": str(self.outside),
        }
        for name, value in values.items():
            completion = completion.replace(name, value)
        return completion

    def close(self) -> None:
        self.listener.close()
        self.home_file.unlink()


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surroundings]:
    os.environ["MBXP_PLANTED_SECRET"] = "planted"
    made = Surroundings(tmp_path_factory.mktemp("surroundings"))
    yield made
    made.close()
    del os.environ["MBXP_PLANTED_SECRET"]


ENGINES = ["warm", pytest.param("cold", marks=pytest.mark.slow)]
AFTER = " and then the canary"


@pytest.fixture(scope="module", params=ENGINES)
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with Executor(dataclasses.replace(SETTINGS, engine=request.param)) as made:
        yield made


@pytest.fixture(scope="module")
def outcomes(
    executor: Executor, surroundings: Surroundings
) -> Iterator[dict[str, dict[str, Result]]]:
    """Results by language and behaviour, executed once a language, when first asked for.

    After each behaviour comes the canary, which meets whatever the behaviour left behind.
    """

    class Lazy(dict[str, dict[str, Result]]):
        def __missing__(self, language: str) -> dict[str, Result]:
            missing = executor.toolchains([language])[language]
            if isinstance(missing, ToolchainMissing):
                pytest.skip(str(missing))
            cases, prompts = load(language)
            canary = dict(runtime(language).canary, language=language)
            right = assemble(canary, canary["canonical_solution"])
            jobs = []
            for behaviour, completion in cases.items():
                problem = dict(canary)
                problem["prompt"] = prompts.get(behaviour, problem["prompt"])
                program = assemble(problem, surroundings.fill(completion))
                jobs.append(Job(len(jobs), behaviour, 0, program))
                jobs.append(Job(len(jobs), behaviour + AFTER, 0, right))
            self[language] = {r.task_id: r for r in executor.execute(jobs)}
            return self[language]

    return Lazy()


def load(language: str) -> tuple[dict[str, str], dict[str, str]]:
    module = importlib.import_module(f"tests.execution.programs.{language}")
    cases = {"early_exit": runtime(language).canary["early_exit"], **module.CASES}
    return cases, getattr(module, "PROMPTS", {})


def table() -> list[tuple[str, str]]:
    return [(language, behaviour) for language in LANGUAGES for behaviour in load(language)[0]]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("language", "behaviour"), table())
def test_each_behaviour_has_its_one_right_verdict(
    language: str, behaviour: str, outcomes: dict[str, dict[str, Result]]
) -> None:
    result = outcomes[language][behaviour]
    canary = outcomes[language][behaviour + AFTER]
    assert canary.verdict is Verdict.PASSED, canary
    if behaviour.startswith(CHEATS):
        assert result.verdict not in (Verdict.PASSED, Verdict.INFRA_ERROR), result
        return
    expected = EXPECTED["early_exit" if behaviour.startswith("early_exit") else behaviour]
    assert result.verdict is expected, result
    if behaviour == "big_output":
        assert result.stdout_truncated
        assert len(result.stdout) <= SETTINGS.output_bytes + 100
    if behaviour == "non_utf8_output":
        assert r"\xff\xfe" in result.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_covers_every_behaviour(language: str) -> None:
    cases = load(language)[0]
    assert {*EXPECTED, *CHEATS} - {*OPTIONAL} <= {*cases}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_a_language_is_left_behind(
    language: str,
    outcomes: dict[str, dict[str, Result]],
    executor: Executor,
    surroundings: Surroundings,
) -> None:
    assert outcomes[language]
    assert not surroundings.outside.exists()
    assert surroundings.connections == 0
    assert [p.name for p in executor._sandbox.root.rglob("*") if not p.is_dir()] == ["lock"]
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert b"mbxp-daemon-canary" not in process.read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
