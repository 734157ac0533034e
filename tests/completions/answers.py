"""Chat answers to one problem in every language, each with the head of its right program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.completions.snippets import SNIPPETS, Snippets


@dataclass(frozen=True)
class Answer:
    language: str
    what: str
    answer: str
    head: str
    """Prompt and completion, or what stands in their place; blank lines do not matter."""


def _shapes(language: str, s: Snippets) -> Iterator[tuple[str, str, str]]:
    fence, opening, closing = f"```{language}\n", s.opening, s.closing
    # What closes the prompt's own class: a completion's part in Java only.
    end = "\n}" if language == "java" else ""
    indent = opening.rpartition("\n")[2]
    own, helped = s.preamble + s.own + end, s.preamble + s.helper + "\n" + s.helped + end
    sure = "Sure! Here's the function you asked for:\n\n"
    yield "a fenced body", f"{sure}{fence}{s.body}\n```\n\nIt doubles a sum.\n", s.prompt + s.body
    yield "a bare body", s.body, s.prompt + s.body
    yield "a bare body and a lone fence", f"{s.body}\n```", s.prompt + s.body
    yield (
        "the prompt repeated",
        f"{fence}{s.prompt}{s.body}\n```\n",
        s.prompt + s.body,
    )
    yield "its own function in a class", f"{sure}{fence}{opening}{s.own}{closing}\n```\n", own
    yield "its own function alone", f"{sure}```\n{s.own}\n```\nThat's it.", own
    yield (
        "a main and tests",
        f"{sure}{fence}{opening}{s.own}\n\n{indent}{s.main}{closing}\n```\n\nRun it (it's quick).",
        own,
    )
    yield (
        "a helper before",
        f"{fence}{opening}{s.helper}\n\n{indent}{s.helped}\n\n{indent}{s.main}{closing}\n```",
        helped,
    )
    yield (
        "a helper after, fence unclosed",
        f"{sure}{fence}{opening}{s.helped}\n\n{indent}{s.helper}{closing}\n",
        s.preamble + s.helped + "\n" + s.helper + end,
    )
    yield (
        "several blocks",
        f"First a helper:\n\n{fence}{s.helper}\n```\n\nThen:\n\n{fence}{s.helped}\n```\n\n"
        f"Use it so:\n\n{fence}{s.main}\n```\nor in a shell\n```bash\nrun twice\n```\n",
        helped,
    )
    yield "no fence, prose around", f"{sure}{s.own}\n\nThis isn't slow: it's O(1).\n", own
    yield (
        "thoughts before",
        f"<think>\nMaybe\n{fence}{s.own.replace('2', '3')}\n```\nNo.</think>\n{fence}{s.own}\n```",
        own,
    )
    yield "an end token", f"{fence}{opening}{s.own}{closing}\n```<|im_end|>\n<|im_start|>user", own
    yield "half an end token", f"{fence}{s.own}\n```\n<|eot_", own


def _special() -> Iterator[Answer]:
    python, java, go = SNIPPETS["python"], SNIPPETS["java"], SNIPPETS["go"]
    yield Answer(
        "python",
        "a body without indentation",
        "```python\nreturn 2 * (a + b)\n```",
        python.prompt + "    return 2 * (a + b)\n",
    )
    yield Answer(
        "python",
        "imports and a comment between helper and function",
        "```py\nimport math\n\ndef twice(x):\n    return 2 * x\n\n# The function itself\n"
        "def twice_sum(x, y):\n    return math.floor(twice(x + y))\n```",
        "import math\n" + python.preamble + "def twice(x):\n    return 2 * x\n"
        "def twice_sum(x, y):\n    return math.floor(twice(x + y))",
    )
    yield Answer(
        "python",
        "a method of a class",
        "```python\nclass Solution:\n    def twice_sum(self, x, y):\n        return 2 * (x + y)\n```",
        python.preamble + "class Solution:\n    def twice_sum(self, x, y):\n"
        "        return 2 * (x + y)\n\n\ndef twice_sum(*args, **kwargs):\n"
        "    return Solution().twice_sum(*args, **kwargs)",
    )
    yield Answer(
        "python",
        "a closing fence behind the code",
        "def twice_sum(a, b):\n    return 2 * (a + b)```",
        python.preamble + "def twice_sum(a, b):\n    return 2 * (a + b)",
    )
    yield Answer(
        "python",
        "bars that are no token",
        "```python\ndef twice_sum(a, b):\n    return 2 * (a | b)\n```\n<|endoftext|>",
        python.preamble + "def twice_sum(a, b):\n    return 2 * (a | b)",
    )
    yield Answer(
        "python",
        "an indented fence in a list",
        "1. Do this:\n\n   ```python\n   def twice_sum(a, b):\n       return 2 * (a + b)\n   ```\n",
        python.preamble + "def twice_sum(a, b):\n    return 2 * (a + b)",
    )
    yield Answer(
        "java",
        "a method that is not static",
        "```java\nclass Solution {\n    public int twiceSum(int x, int y) {\n"
        "        return twice(x + y);\n    }\n\n    private int twice(int x) {\n"
        "        return 2 * x;\n    }\n}\n```",
        java.preamble + "public static int twiceSum(int x, int y) {\n        return twice(x + y);\n"
        "    }\nprivate static int twice(int x) {\n        return 2 * x;\n    }\n}",
    )
    yield Answer(
        "java",
        "a body without its braces",
        "```java\n        return 2 * (a + b);\n```",
        java.prompt + "        return 2 * (a + b);\n}\n}",
    )
    yield Answer(
        "go",
        "an import that is used and one that is not",
        '```go\npackage main\n\nimport (\n\t"os"\n\t"strings"\n)\n\n'
        'func twice_sum(x, y int) int {\n\treturn 2*(x+y) + len(strings.Trim("", ""))\n}\n```',
        go.preamble.replace("main\n", 'main\nimport "strings"\n', 1)
        + 'func twice_sum(x, y int) int {\n\treturn 2*(x+y) + len(strings.Trim("", ""))\n}',
    )
    yield Answer(
        "typescript",
        "an exported function",
        "```ts\nexport function twiceSum(x: number, y: number): number {\n  return 2 * (x + y);\n}\n```",
        SNIPPETS["typescript"].preamble
        + "function twiceSum(x: number, y: number): number {\n  return 2 * (x + y);\n}",
    )
    yield Answer(
        "cpp",
        "a struct that is needed",
        "```c++\n#include <vector>\nstruct Pair { int a, b; };\n\nint twiceSum(int x, int y) {\n"
        "    Pair p{x, y};\n    return 2 * (p.a + p.b);\n}\n```",
        "#include <vector>\n" + SNIPPETS["cpp"].preamble + "struct Pair { int a, b; };\n"
        "int twiceSum(int x, int y) {\n    Pair p{x, y};\n    return 2 * (p.a + p.b);\n}",
    )


ANSWERS = [
    Answer(language, *shape)
    for language, snippets in SNIPPETS.items()
    for shape in _shapes(language, snippets)
] + list(_special())
