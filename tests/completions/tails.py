"""What models write on after a function: for each language text to put behind a completion."""

from __future__ import annotations

_PROSE = """

This function loops over the input once, so it's O(n). Don't use it for {empty} lists!
For example (see above), you'd get "42".
"""

_NEXT = {
    "python": "\n\ndef next_task(a, b):\n    return [a, b]\n",
    "java": "\n\nclass NextTask {\n    public static int nextTask(int a) {\n        return a;\n    }\n}\n",
    "javascript": "\n\nfunction nextTask(a) {\n  return { a: '}' };\n}\n",
    "typescript": "\n\nconst next_task = function (a: number): number {\n  return a;\n}\n",
    "go": "\n\nfunc next_task(a int) int {\n\treturn a\n}\n",
    "csharp": "\n\n        public static int NextTask(int a)\n        {\n            return a;\n        }\n",
    "php": "\n\nfunction nextTask($a) {\n    return $a;\n}\n",
    "ruby": "\n\ndef next_task(a)\n  a\nend\n",
    "kotlin": "\n\nfun nextTask(a : Int) : Int {\n    return a\n}\n",
    "cpp": "\n\nint nextTask(int a) {\n    return a;\n}\n",
    "perl": "\n\nsub next_task\n{\n  my ($a) = @_;\n  return $a;\n}\n",
    "scala": "\n\n    def nextTask(a : Int) : Int = {\n        a\n    }\n",
    "swift": "\n\nfunc nextTask(a : Int) -> Int {\n    return a\n}\n",
    "rust": "\n\nfn next_task(a: i64) -> i64 {\n    a\n}\n",
}

_MAIN = {
    "python": '\n\nif __name__ == "__main__":\n    print(solve(1))\n',
    "java": '\n\nclass Demo {\n    public static void main(String[] args) {\n        System.out.println("}");\n    }\n}\n',
    "javascript": "\n\nconsole.log(`${solve([1, 2])}`);\nmodule.exports = { solve };\n",
    "typescript": "\n\nconsole.log(solve([1, 2]));\nexport default solve;\n",
    "go": '\n\nfunc main() {\n\tfmt.Println("}")\n}\n',
    "csharp": '\n\n        static void Main(string[] args)\n        {\n            Console.WriteLine("}");\n        }\n    }\n}\n',
    "php": "\n\necho solve(1);\n?>\n",
    "ruby": '\n\nputs solve(1)\nif __FILE__ == $0\n  p "end"\nend\n',
    "kotlin": '\n\nfun main() {\n    println("}")\n}\n',
    "cpp": '\n\nint main() {\n    cout << "}" << endl;\n    return 0;\n}\n',
    "perl": '\n\nprint solve(1), "\\n";\n1;\n',
    "scala": "\n\n    println(solve(1))\n}\n",
    "swift": '\n\nprint(solve(1))\nlet shown = "\\(solve(2))"\n',
    "rust": '\n\nfn main() {\n    println!("{}", 1);\n}\n',
}


def tails(language: str) -> dict[str, str]:
    """Texts that a model writes on, by what they are."""
    following, main = _NEXT[language], _MAIN[language]
    half = following.rstrip().rsplit("\n", 1)[0]
    half = half[: len(half) - 2]
    return {
        "another function": following,
        "prose": _PROSE,
        "a main": main,
        "half a function": half,
        "a function and half of one": following + half,
        "a main and prose": main + _PROSE,
        "a closing fence": "\n```\n",
        "a fence and prose": "\n```" + _PROSE,
        "an end token": "<|endoftext|>\n\nWrite a function to",
        "half an end token": "\n<|endoft",
    }
