"""What a model writes after a function goes; the function stays, byte for byte."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, read_problems
from mbxp_datasets.catalog import Config
from mbxp_metric.completions import truncate
from mbxp_metric.completions.ending import Ending
from tests.completions.snippets import SNIPPETS
from tests.completions.tails import tails

pytest.importorskip("tree_sitter_language_pack")

_CASES = [(language, tail) for language in SNIPPETS for tail in tails(language)]


def _problem(language: str, prompt: str | None = None) -> dict[str, str | None]:
    return {
        "language": language,
        "prompt": SNIPPETS[language].prompt if prompt is None else prompt,
        "entry_point": SNIPPETS[language].entry_point,
    }


@pytest.mark.parametrize("helpers", ["keep", "cut"])
@pytest.mark.parametrize("language", SNIPPETS)
def test_a_function_alone_comes_back_byte_for_byte(language: str, helpers: str) -> None:
    body = SNIPPETS[language].body
    for completion in (body, body + "\n", body + "\n\n  \n"):
        assert truncate(completion, _problem(language), helpers) == completion


@pytest.mark.parametrize("helpers", ["keep", "cut"])
@pytest.mark.parametrize(("language", "tail"), _CASES, ids=[", ".join(case) for case in _CASES])
def test_what_follows_the_function_is_cut(language: str, tail: str, helpers: str) -> None:
    body = SNIPPETS[language].body.rstrip("\n")
    cut = truncate(body + tails(language)[tail], _problem(language), helpers)
    assert cut.rstrip() == body.rstrip()


@pytest.mark.parametrize("language", SNIPPETS)
def test_cutting_twice_changes_nothing_more(language: str) -> None:
    for tail in tails(language).values():
        once = truncate(SNIPPETS[language].body + tail, _problem(language))
        assert truncate(once, _problem(language)) == once


@pytest.mark.parametrize("language", SNIPPETS)
def test_an_unfinished_body_stays_as_it_is(language: str) -> None:
    body = SNIPPETS[language].body
    for length in range(0, len(body) * 2 // 3, 3):
        if language != "python":
            assert truncate(body[:length], _problem(language)) == body[:length]
        assert not body[:length].strip() or truncate(body[:length], _problem(language)).strip()


@pytest.mark.parametrize("language", SNIPPETS)
def test_a_helper_that_is_needed_is_kept_or_cut_as_asked(language: str) -> None:
    snippets, problem = SNIPPETS[language], _problem(language)
    twice = "Twice" if language == "csharp" else "twice"
    body = re.sub(r"2 \* \((\$?a \+ \$?b)\)|f\((a \+ b)\)", rf"{twice}(\1\2)", snippets.body)
    assert f"{twice}(" in body
    closing = "\n}" if language == "java" else ""
    body = body.rstrip("\n").removesuffix(closing)
    between = "\n\n" + snippets.opening.rpartition("\n")[2]
    helped = body + between + snippets.helper
    completion = helped + between + snippets.main + "\n"
    kept = truncate(completion, problem, "keep")
    assert kept.rstrip() == helped + closing
    assert truncate(completion, problem, "cut").rstrip() == body + closing


def test_a_class_is_closed_once() -> None:
    problem, body = _problem("java"), SNIPPETS["java"].body
    method = body.removesuffix("\n}")
    assert truncate(method, problem) == body
    assert truncate(method + "\n\n    // and so on", problem) == body
    assert truncate(body + "\n}", problem) == body


@pytest.mark.parametrize("language", ["csharp", "scala"])
def test_a_class_that_the_test_closes_stays_open(language: str) -> None:
    body = SNIPPETS[language].body
    assert truncate(body + "\n}\n}\n", _problem(language)) == body


@pytest.mark.parametrize(
    ("language", "prompt", "completion", "kept"),
    [
        (
            "python",
            "def f(x):\n",
            "    a = (1,\n2)\n    return a\nf(1)\n",
            "    a = (1,\n2)\n    return a\n",
        ),
        ("python", "def f(x):\n", "    return 1 + \\\n2\nf(1)", "    return 1 + \\\n2\n"),
        (
            "python",
            "def f(x):\n",
            "    def g():\n        return x\n# note\n    return g\nf(1)",
            "    def g():\n        return x\n# note\n    return g\n",
        ),
        ("python", "def f(x):\n", "    return x<|endoftext|>", "    return x"),
        ("python", "def f(x):\n", "    return x\n<|endoft", "    return x\n"),
        ("python", "def f(x):\n", "    return '<pad>'\n", "    return '<pad>'\n"),
        ("python", "def f(x):\n", "def f(x):\n    return 1\n", "def f(x):\n    return 1\n"),
        (
            "javascript",
            "function f(x) {\n",
            "  return /}/.test(x);\n}\nf(1);",
            "  return /}/.test(x);\n}",
        ),
        (
            "typescript",
            "const f = function (x: number) {\n",
            "  return x;\n};\nf(1);",
            "  return x;\n};",
        ),
        ("go", "package main\n\nfunc f(x int) int {\n", "\treturn '}'\n}\nfunc", "\treturn '}'\n}"),
        (
            "php",
            "<?php\nfunction f($x){\n",
            "  return <<<A\n}\nA;\n}\n?>\n<p>",
            "  return <<<A\n}\nA;\n}",
        ),
        ("perl", "sub f {\n", '  return <<"E";\n}\nE\n}\nprint f(1);', '  return <<"E";\n}\nE\n}'),
        (
            "ruby",
            "def f(x)",
            "\n  x.each do |y|\n    y if y\n  end\nend\nf([1])",
            "\n  x.each do |y|\n    y if y\n  end\nend",
        ),
        ("ruby", "def f(x)", "\n  :end\nend\nputs", "\n  :end\nend"),
        (
            "kotlin",
            "fun f(x : Int) : Int {\n",
            '    return """}""".length\n}\nfun',
            '    return """}""".length\n}',
        ),
        (
            "rust",
            "fn f(x: i64) -> i64 {\n",
            "    match x { 1 => { '}' as i64 } _ => 2 }\n}\nfn",
            "    match x { 1 => { '}' as i64 } _ => 2 }\n}",
        ),
    ],
)
def test_marks_in_other_places_do_not_end_a_function(
    language: str, prompt: str, completion: str, kept: str
) -> None:
    assert truncate(completion, _problem(language, prompt)) == kept


def test_a_body_with_an_error_of_syntax_ends_where_its_layout_says() -> None:
    problem = {"language": "typescript", "prompt": "const f = function (a: number) : number {\n"}
    body = "  if (a) {\n    return 1 : 2;\n  }\n  return a ? 1 : 2 : 3;\n}"
    assert truncate(body + "\n\nconsole.log(f(1));\n", problem) == body
    assert truncate("  return a ? 1 : 2 : 3;\n  }\n\nconsole", problem).endswith("console")


def test_an_unknown_option_or_language_is_refused() -> None:
    with pytest.raises(ValueError, match="keep or cut"):
        truncate("", _problem("python"), "some")
    with pytest.raises(ValueError, match="no syntax for 'cobol'"):
        truncate("", {"language": "cobol", "prompt": "", "entry_point": ""})


def test_a_flood_of_braces_is_not_read_forever() -> None:
    completion = "  return [;\n" + "}" * 5000
    assert truncate(completion, _problem("javascript")) == completion


@pytest.mark.parametrize(
    "config", BENCHMARKS["mbxp"].configs.values(), ids=lambda each: each.language
)
def test_canonical_solutions_survive_their_tails(config: Config, official_dir: Path) -> None:
    path = official_dir / "mbxp" / config.file
    if not path.is_file():
        pytest.skip("not in this copy of the release")
    language = config.language
    solved = (row for row in read_problems(path) if row["canonical_solution"])
    for row in islice(solved, 0, None, 20):
        solution = row["canonical_solution"] or ""
        if (
            "?>" in solution
            or Ending(language, row["prompt"].encode(), solution.encode()).cut() is None
        ):
            continue
        assert truncate(solution, row) == solution
        for tail in tails(language).values():
            assert truncate(solution.rstrip("\n") + tail, row).rstrip() == solution.rstrip()
