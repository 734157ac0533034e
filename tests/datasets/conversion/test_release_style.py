"""The release style against the release's own files, where a copy of them is at hand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mbxp_datasets.conversion import (
    PythonProblem,
    UnconvertibleError,
    convert,
    convert_all,
    languages,
)
from mbxp_datasets.sources.files import python_problems
from mbxp_datasets.sources.humaneval import human_eval_file
from tests.benchmarks.conversion_fidelity import configs, measure

FLOORS = {"mathqa_x": 1.0, "multi_humaneval": 0.98}
CONVERTED = {
    ("strict", "others"): 163,
    ("release", "others"): 161,
    ("release", "go"): 160,
    ("release", "cpp"): 117,
}
"""Of HumanEval's 164."""
MBXP_FLOORS = {"typescript": 0.98, "csharp": 0.98, "go": 0.98}


@pytest.mark.parametrize("language", languages("release"))
def test_the_release_is_reproduced_byte_for_byte(language: str, official_dir: Path) -> None:
    for config, python, official in configs(official_dir):
        if config.language != language:
            continue
        found = measure(config, python, official)
        floor = FLOORS.get(config.benchmark, MBXP_FLOORS.get(language, 0.99))
        assert not found.missing, found.reasons
        assert not found.extra
        assert found.exact("entry_point") == len(found.rows)
        assert found.exact("prompt", "test") >= floor * len(found.rows)


@pytest.mark.parametrize(
    ("style", "language"),
    [(style, name) for style in ("release", "strict") for name in languages(style)],
)
def test_human_eval_converts_without_the_release(style: str, language: str) -> None:
    problems = list(python_problems(human_eval_file()))
    found = list(convert_all(problems, language, style))
    rows = [row for row in found if not isinstance(row, UnconvertibleError)]
    assert len(rows) == CONVERTED.get((style, language), CONVERTED[style, "others"])


def test_no_line_of_a_docstring_gets_lost_in_cpp() -> None:
    for problem in python_problems(human_eval_file()):
        for row in convert_all([problem], "cpp", "release"):
            if isinstance(row, UnconvertibleError):
                continue
            written = problem.docstring.replace("None", "null").replace("Python", "c++")
            prompt = row["prompt"].replace("None", "null")
            for line in written.split("\n"):
                assert line.strip() in prompt


def test_a_set_of_strings_is_written_in_one_order_in_every_process() -> None:
    script = (
        "from mbxp_datasets.conversion import PythonProblem, convert\n"
        'test = \'assert f() == {"c", "a", "b", "d"}\'\n'
        "problem = PythonProblem('own/1', 'f', (), 'x', 'x', 'def f():\\n', test)\n"
        "print(convert(problem, 'ruby', 'release')['test'])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert b'Set["c", "a", "b", "d"]' in outputs.pop()


@pytest.mark.parametrize("language", ["java", "javascript"])
def test_mathqa_names_the_language_as_its_rows_do(language: str) -> None:
    test = "assert compare(problem(), 2.5)"
    text = "use python here n0 = 1.0"
    problem = PythonProblem("MathQA/own", "problem", (), text, text, "def problem():\n", test)
    assert f" * use {language} here n0 = 1.0\n" in convert(problem, language, "release")["prompt"]
