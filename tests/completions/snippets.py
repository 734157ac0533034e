"""One problem in every language, and pieces of answers to it: the sum of two numbers, doubled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Snippets:
    """Pieces of answers in one language; indented as members where the prompt has a class."""

    preamble: str
    """The prompt up to its function."""
    signature: str
    """The rest of the prompt."""
    body: str
    """With what closes the function, and the class where the completion does."""
    own: str
    """The whole function with parameters and a comment of the answer's own."""
    helped: str
    """The same, by means of a helper."""
    helper: str
    main: str
    """A main function, a test or calls."""
    opening: str = ""
    """Of the class that an answer may put around its function."""
    closing: str = ""
    test: str = ""
    entry_point: str = "twiceSum"

    @property
    def prompt(self) -> str:
        return self.preamble + self.signature


_JAVA = Snippets(
    preamble="import java.util.*;\n\nclass TwiceSum {\n    ",
    signature="public static int twiceSum(int a, int b) {\n",
    body="        return 2 * (a + b); // }\n    }\n}",
    own='public static int twiceSum(int x, int y) {\n        String s = "}";\n        return 2 * (x + y);\n    }',
    helped="public static int twiceSum(int x, int y) {\n        return twice(x + y);\n    }",
    helper="static int twice(int x) {\n        return 2 * x;\n    }",
    main="public static void main(String[] args) {\n        System.out.println(twiceSum(1, 2));\n    }",
    opening="import java.util.*;\n\npublic class Solution {\n    ",
    closing="\n}",
)

_CSHARP = Snippets(
    preamble="using System;\n\nnamespace Solution\n{\n    public class Program\n    {\n        ",
    signature="public static int TwiceSum (int a, int b)\n        {",
    body="\n            return 2 * (a + b); // }\n        }",
    own=(
        "public static int TwiceSum(int x, int y)\n        {\n"
        '            var s = $"{x}}}";\n            return 2 * (x + y);\n        }'
    ),
    helped="public static int TwiceSum(int x, int y)\n        {\n            return Twice(x + y);\n        }",
    helper="static int Twice(int x)\n        {\n            return 2 * x;\n        }",
    main="static void Main(string[] args)\n        {\n            Console.WriteLine(TwiceSum(1, 2));\n        }",
    opening="using System;\n\npublic class Answer\n{\n        ",
    closing="\n}",
    entry_point="TwiceSum",
)

_SCALA = Snippets(
    preamble="object Main extends App {\n    ",
    signature="def twiceSum(a : Int, b : Int) : Int = {\n",
    body="        2 * (a + b) // }\n    }",
    own='def twiceSum(x: Int, y: Int): Int = {\n        val s = s"}${x}"\n        2 * (x + y)\n    }',
    helped="def twiceSum(x: Int, y: Int): Int = {\n        twice(x + y)\n    }",
    helper="def twice(x: Int): Int = 2 * x",
    main="def main(args: Array[String]): Unit = {\n        println(twiceSum(1, 2))\n    }",
    opening="object Answer {\n    ",
    closing="\n}",
)

SNIPPETS: dict[str, Snippets] = {
    "python": Snippets(
        preamble="from typing import List\n\n\n",
        signature='def twice_sum(a, b):\n    """Twice the sum.\n    >>> twice_sum(1, 2)\n    6\n    """\n',
        body="    text = '''\nnot the end\n'''\n    return 2 * (a + b)\n",
        own='def twice_sum(x, y):\n    """My own words."""\n    return 2 * (x + y)',
        helped="def twice_sum(x, y):\n    return twice(x + y)",
        helper="def twice(x):\n    return 2 * x",
        main='if __name__ == "__main__":\n    print(twice_sum(1, 2))\n    assert twice_sum(1, 2) == 6',
        test="def check(candidate):\n    assert candidate(1, 2) == 6\n    assert candidate(0, 5) == 10\n",
        entry_point="twice_sum",
    ),
    "java": _JAVA,
    "javascript": Snippets(
        preamble="/**\n * Twice the sum.\n */\n",
        signature="function twiceSum(a, b) {\n",
        body="  const text = `}${a}`; // }\n  return 2 * (a + b);\n}",
        own="function twiceSum(x, y) {\n  return [x, y].map((n) => { return 2 * n; })[0] + 2 * y;\n}",
        helped="function twiceSum(x, y) {\n  return twice(x + y);\n}",
        helper="const twice = (x) => {\n  return 2 * x;\n};",
        main="console.log(twiceSum(1, 2));\nmodule.exports = { twiceSum };",
        test="\nif (twiceSum(1, 2) !== 6) { throw 'Error'; }\nif (twiceSum(0, 5) !== 10) { throw 'Error'; }\n",
    ),
    "typescript": Snippets(
        preamble="/**\n * Twice the sum.\n */\n",
        signature="const twiceSum = function (a: number, b: number) : number  {\n",
        body="  const text: string = `}${a}`; // }\n  return 2 * (a + b);\n}",
        own="function twiceSum(x: number, y: number): number {\n  return 2 * (x + y);\n}",
        helped="const twiceSum = (x: number, y: number): number => {\n  return twice(x + y);\n};",
        helper="function twice(x: number): number {\n  return 2 * x;\n}",
        main="console.log(twiceSum(1, 2));",
    ),
    "go": Snippets(
        preamble='package main\n\nimport (\n\t"fmt"\n)\n\n// Twice the sum.\n',
        signature="func twice_sum (a int, b int) int {\n",
        body="\ttext := `}`\n\t_ = text\n\treturn 2 * (a + b)\n}",
        own="func twice_sum(x, y int) int {\n\tf := func() int { return 2 }\n\treturn f() * (x + y)\n}",
        helped="func twice_sum(x, y int) int {\n\treturn twice(x + y)\n}",
        helper="func twice(x int) int {\n\treturn 2 * x\n}",
        main="func main() {\n\tfmt.Println(twice_sum(1, 2))\n}",
        opening='package main\n\nimport "fmt"\n\n',
        entry_point="twice_sum",
    ),
    "csharp": _CSHARP,
    "php": Snippets(
        preamble="<?php\n/**\n * Twice the sum.\n */\n",
        signature="function twiceSum($a, $b){\n",
        body='    $text = "}{$a}"; # }\n    return 2 * ($a + $b);\n}',
        own="function twiceSum($x, $y) {\n    return 2 * ($x + $y);\n}",
        helped="function twiceSum(int $x, int $y): int {\n    return twice($x + $y);\n}",
        helper="function twice($x) {\n    return 2 * $x;\n}",
        main="echo twiceSum(1, 2);\n?>",
        opening="<?php\n\n",
        test="\n\nif (twiceSum(1, 2) != 6) { throw new Exception('Error'); }\nif (twiceSum(0, 5) != 10) { throw new Exception('Error'); }\n",
    ),
    "ruby": Snippets(
        preamble="# Twice the sum.\n",
        signature="def twice_sum(a, b)",
        body="\n  text = <<~TEXT\n    the end\n    end\n  TEXT\n  [a, b].each do |x|\n    x\n  end\n  2 * (a + b)\nend\n",
        own="def twice_sum(x, y)\n  # my own end\n  2 * (x + y)\nend",
        helped="def twice_sum(x, y)\n  twice(x + y)\nend",
        helper="def twice(x)\n  return 2 * x if x\nend",
        main='puts twice_sum(1, 2)\nraise "end" unless twice_sum(1, 2) == 6',
        test="\n\nraise StandardError unless twice_sum(1, 2) == 6\nraise StandardError unless twice_sum(0, 5) == 10\n",
        entry_point="twice_sum",
    ),
    "kotlin": Snippets(
        preamble="/**\n * Twice the sum.\n */\n",
        signature="fun twiceSum(a : Int, b : Int) : Int {\n",
        body='    val text = "}${listOf(a).map { it }}" // }\n    return 2 * (a + b)\n}',
        own="fun twiceSum(x: Int, y: Int): Int {\n    return listOf(x, y).sumOf { 2 * it }\n}",
        helped="fun twiceSum(x: Int, y: Int): Int {\n    return twice(x + y)\n}",
        helper="fun twice(x: Int): Int {\n    return 2 * x\n}",
        main="fun main() {\n    println(twiceSum(1, 2))\n}",
    ),
    "cpp": Snippets(
        preamble="#include <bits/stdc++.h>\nusing namespace std;\n\n",
        signature="int twiceSum(int a, int b) {\n",
        body='    string text = R"(})"; // }\n    auto f = [](int x) { return 2 * x; };\n    return f(a + b);\n}',
        own="int twiceSum(int x, int y) {\n    char c = '}';\n    return 2 * (x + y);\n}",
        helped="int twiceSum(int x, int y) {\n    return twice(x + y);\n}",
        helper="int twice(int x) {\n    return 2 * x;\n}",
        main="int main() {\n    cout << twiceSum(1, 2) << endl;\n    return 0;\n}",
    ),
    "perl": Snippets(
        preamble="# Twice the sum.\n",
        signature="sub twice_sum\n{\n  my ($a, $b) = @_;\n",
        body='    my $text = "}$a"; # }\n    my %h = (a => { b => 1 });\n    return 2 * ($a + $b);\n}',
        own="sub twice_sum {\n    my ($x, $y) = @_;\n    return 2 * ($x + $y);\n}",
        helped="sub twice_sum {\n    my ($x, $y) = @_;\n    return twice($x + $y);\n}",
        helper="sub twice {\n    my ($x) = @_;\n    return 2 * $x;\n}",
        main='print twice_sum(1, 2), "\\n";\n1;',
        test='\n\ndie "Error" unless twice_sum(1, 2) == 6;\ndie "Error" unless twice_sum(0, 5) == 10;\n',
        entry_point="twice_sum",
    ),
    "scala": _SCALA,
    "swift": Snippets(
        preamble="/**\n * Twice the sum.\n */\n",
        signature="func twiceSum(a : Int, b : Int) -> Int {\n",
        body='    let text = "}\\(a)" // }\n    return 2 * (a + b)\n}',
        own="func twiceSum(a: Int, b: Int) -> Int {\n    return [a, b].map { 2 * $0 }.reduce(0, +)\n}",
        helped="func twiceSum(a: Int, b: Int) -> Int {\n    return twice(a + b)\n}",
        helper="func twice(_ x: Int) -> Int {\n    return 2 * x\n}",
        main="print(twiceSum(a: 1, b: 2))",
    ),
    "rust": Snippets(
        preamble="use std::collections::HashMap;\n\n/// Twice the sum.\n",
        signature="fn twice_sum(a: i64, b: i64) -> i64 {\n",
        body='    let text = r"}"; // }\n    let twice = |x: i64| { 2 * x };\n    twice(a + b)\n}',
        own="fn twice_sum(x: i64, y: i64) -> i64 {\n    let c = '}';\n    2 * (x + y)\n}",
        helped="fn twice_sum(x: i64, y: i64) -> i64 {\n    twice(x + y)\n}",
        helper="fn twice(x: i64) -> i64 {\n    2 * x\n}",
        main='fn main() {\n    println!("{}", twice_sum(1, 2));\n}',
        entry_point="twice_sum",
    ),
}
