"""s-: no natural language is left of a program but its names and strings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, Problem, human_eval_problems, load_problems
from mbxp_datasets.variants import Summarization
from mbxp_datasets.variants.comments import LINE_COMMENTS, parts, without_natural_language

SUFFIX = "The above code writes a"


def comment_words(text: str, language: str) -> set[str]:
    """Words of the comments and of the lines that begin with any comment mark."""
    natural = [piece for piece, is_natural in parts(text, language) if is_natural]
    marked = re.findall(r"(?m)^\s*(?://|/?\*|#(?!include)|\"\"\")(.*)", text)
    return set(re.findall(r"[a-z]{2,}", " ".join([*natural, *marked]).lower()))


def check(problems: list[Problem]) -> None:
    rows = list(Summarization().rows(problems))
    assert rows
    for row in rows:
        mark = LINE_COMMENTS[row["language"]]
        assert row["prompt"] == row["code"] + f"{mark} {SUFFIX}"
        words = set(re.findall(r"[a-z]{2,}", row["description"].lower()))
        assert not words & comment_words(row["code"], row["language"]), row["task_id"]
        assert row["target"] == row["description"]


def test_human_eval_has_no_word_of_its_description_in_comments() -> None:
    problems = list(human_eval_problems())
    check(problems)
    for row in Summarization().rows(problems):
        wanted = ast.parse(row["code"])
        for node in ast.walk(wanted):
            if isinstance(node, ast.FunctionDef):
                assert ast.get_docstring(node) is None


def test_official_programs_have_no_word_of_their_description_in_comments(
    official_dir: Path,
) -> None:
    for benchmark in BENCHMARKS.values():
        for config in benchmark.configs.values():
            if config.solutions:
                check(list(load_problems(benchmark.name, config.name, official_dir)))


@pytest.mark.parametrize(
    ("language", "program", "expected"),
    [
        ("python", 'def f():\n """Doc # "it"."""\n return 1  # one\n', "def f():\n return 1\n"),
        ("python", "def f():\n '''D\n D'''\n x = \"# no\"\n", 'def f():\n x = "# no"\n'),
        ("python", 'x = f(\n    "kept",\n    "kept"\n)\n', 'x = f(\n    "kept",\n    "kept"\n)\n'),
        ("python", 'x = \\\n    "kept"\n', 'x = \\\n    "kept"\n'),
        ("java", '/** D\n\n * D */\nint f() { // d\n return "//";\n', 'int f() {\n return "//";\n'),
        ("java", "char c = '\"'; // d\nchar d = '\\'';\n", "char c = '\"';\nchar d = '\\'';\n"),
        ("javascript", "x = /[/*]\"/; // d\ny = `// ${1}`;\n", 'x = /[/*]"/;\ny = `// ${1}`;\n'),
        ("javascript", "x = a / b; /* d */ y = 1 / 2;\n", "x = a / b;  y = 1 / 2;\n"),
        ("typescript", "// d\nconst s = '/* no */';\n", "const s = '/* no */';\n"),
        ("csharp", '/// <summary> d\nvar s = @"a""\\";  // d\n', 'var s = @"a""\\";\n'),
        ("php", "<?php\n# d\n#[Pure]\n$a = '#'; // d\n", "<?php\n#[Pure]\n$a = '#';\n"),
        ("ruby", '=begin\nd\n=end\ns = "#{a}" # d\nx =~ /#/\n', 's = "#{a}"\nx =~ /#/\n'),
        ("perl", "# d\nmy $n = $#a; # d\n", "my $n = $#a;\n"),
        ("kotlin", 'val s = """ // "no" """ // d\n', 'val s = """ // "no" """\n'),
        ("cpp", "#include <map>\nint a = 1'0; // d\n", "#include <map>\nint a = 1'0;\n"),
        ("go", "// d\ns := `// no`\n", "s := `// no`\n"),
        ("rust", "/// d\nfn f<'a>(x: &'a str) {} // d\n", "fn f<'a>(x: &'a str) {}\n"),
        ("scala", "/* d */\nval c = '\"' // d\n", "val c = '\"'\n"),
        ("swift", '/** d */\nlet s = "//"\n', 'let s = "//"\n'),
    ],
)  # fmt: skip
def test_comments_go_and_strings_stay(language: str, program: str, expected: str) -> None:
    assert without_natural_language(program, language) == expected


def test_a_problem_without_a_description_is_none() -> None:
    problems = list(human_eval_problems())[:3]
    problems[1] = {**problems[1], "description": "\n"}
    rows = Summarization().rows(problems)
    assert [row["task_id"] for row in rows] == ["HumanEval/0", "HumanEval/2"]


def test_every_language_has_its_comments() -> None:
    languages = {config.language for config in BENCHMARKS["mbxp"].configs.values()}
    assert set(LINE_COMMENTS) == languages


def test_pairs_of_code_and_summary_stand_before_and_never_give_the_answer() -> None:
    problems = [
        {**problem, "description": f"Write a number{index}."}
        for index, problem in enumerate(human_eval_problems())
    ]
    rows = list(Summarization(shots=3, seed=5).rows(problems))  # type: ignore[arg-type]
    for index, row in enumerate(rows):
        shown = re.findall(r"# The above code writes a number(\d+)\.\n", row["prompt"])
        assert len(shown) == 3
        assert str(index) not in shown
        assert row["prompt"].endswith(row["code"] + f"# {SUFFIX}")
    assert rows == list(Summarization(shots=3, seed=5).rows(problems))  # type: ignore[arg-type]
    assert rows != list(Summarization(shots=3, seed=6).rows(problems))  # type: ignore[arg-type]
