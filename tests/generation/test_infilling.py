"""What a model reads to infill, byte for byte as its makers document it, and what is read back."""

from __future__ import annotations

import pytest

from mbxp_metric.generation.infilling import (
    FORMATS,
    InfillingFormatError,
    chosen_format,
    format_of_model,
    infilling_format,
    template_format,
)

_QUICKSORT = (
    "def quicksort(arr):\n    if len(arr) <= 1:\n        return arr\n"
    "    pivot = arr[len(arr) // 2]\n    "
)
_REST = (
    "\n    middle = [x for x in arr if x == pivot]\n    right = [x for x in arr if x > pivot]\n"
    "    return quicksort(left) + middle + quicksort(right)"
)
_PIVOT = (
    "def quick_sort(arr):\n    if len(arr) <= 1:\n        return arr\n    pivot = arr[0]\n"
    "    left = []\n    right = []\n"
)
_LOOP = (
    "\n        if arr[i] < pivot:\n            left.append(arr[i])\n        else:\n"
    "            right.append(arr[i])\n    return quick_sort(left) + [pivot] + quick_sort(right)"
)

# Name, prefix, suffix, and the whole text as the source of the format in the table shows it.
_GOLDEN = [
    (
        "starcoder",
        "def print_one_two_three():\n    print('one')\n    ",
        "\n    print('three')",
        "<fim_prefix>def print_one_two_three():\n    print('one')\n    <fim_suffix>\n"
        "    print('three')<fim_middle>",
    ),
    (
        "starcoder2",
        "def fib(n):",
        "    else:\n        return fib(n - 2) + fib(n - 1)",
        "<fim_prefix>def fib(n):<fim_suffix>    else:\n        return fib(n - 2) + fib(n - 1)"
        "<fim_middle>",
    ),
    (
        "codellama",
        'def remove_non_ascii(s: str) -> str:\n    """ ',
        "\n    return result\n",
        '<PRE> def remove_non_ascii(s: str) -> str:\n    """  <SUF>\n    return result\n <MID>',
    ),
    (
        "codellama-spm",
        'def remove_non_ascii(s: str) -> str:\n    """ ',
        "\n    return result\n",
        '<PRE> <SUF>\n    return result\n <MID> def remove_non_ascii(s: str) -> str:\n    """ ',
    ),
    (
        "incoder",
        'def count_words(filename):\n    """ ',
        ' """\n    counts = Counter()\n',
        'def count_words(filename):\n    """ <|mask:0|> """\n    counts = Counter()\n'
        "<|mask:1|><|mask:0|>",
    ),
    (
        "deepseek-coder",
        _PIVOT,
        _LOOP,
        f"<｜fim▁begin｜>{_PIVOT}<｜fim▁hole｜>{_LOOP}<｜fim▁end｜>",
    ),
    (
        "qwen2.5-coder",
        _QUICKSORT,
        _REST,
        f"<|fim_prefix|>{_QUICKSORT}<|fim_suffix|>{_REST}<|fim_middle|>",
    ),
    (
        "codegemma",
        "import ",
        "\nif __name__ == '__main__':\n    sys.exit(0)",
        "<|fim_prefix|>import <|fim_suffix|>\nif __name__ == '__main__':\n    sys.exit(0)"
        "<|fim_middle|>",
    ),
    ("codestral", "def f(", "return a + b", "[SUFFIX]return a + b[PREFIX] def f("),
]


@pytest.mark.parametrize(
    ("name", "prefix", "suffix", "text"), _GOLDEN, ids=[case[0] for case in _GOLDEN]
)
def test_a_prompt_is_what_the_makers_document(
    name: str, prefix: str, suffix: str, text: str
) -> None:
    assert infilling_format(name).prompt(prefix, suffix) == text


def test_every_format_has_a_golden_string() -> None:
    assert {case[0] for case in _GOLDEN} == {each.name for each in FORMATS}


@pytest.mark.parametrize("name", [each.name for each in FORMATS])
@pytest.mark.parametrize("code", ["", " \t\r\n", "{prefix}{suffix}", "{0} %s \\1 \\n é\u2581"])
def test_code_goes_in_byte_for_byte(name: str, code: str) -> None:
    chosen = infilling_format(name)
    before, after = "<before>", "<after>"
    for local in (False, True):
        shape = chosen.prompt(before, after, local)
        assert chosen.prompt(code, after, local).replace(after, "") == shape.replace(
            before, code
        ).replace(after, "")
        assert chosen.prompt(before, code, local).replace(before, "") == shape.replace(
            after, code
        ).replace(before, "")


@pytest.mark.parametrize("middle", ["", "    return 1\n", "\n\n\t", " a < b", "x[A", "  <", "a |"])
@pytest.mark.parametrize("name", [each.name for each in FORMATS])
def test_the_middle_ends_at_the_first_stop_and_keeps_its_blanks(name: str, middle: str) -> None:
    chosen = infilling_format(name)
    assert chosen.middle(middle) == middle
    for stop in chosen.stops:
        assert chosen.middle(middle + stop + "\nmore" + chosen.stops[0]) == middle


@pytest.mark.parametrize(
    ("name", "generated"),
    [
        ("starcoder", "return x\n<|endoft"),
        ("deepseek-coder", "return x\n<｜end▁of"),
        ("incoder", "return x\n<|endofm"),
        ("codegemma", "return x\n<|file_sep"),
    ],
)
def test_a_stop_that_was_cut_in_the_middle_goes(name: str, generated: str) -> None:
    assert infilling_format(name).middle(generated) == "return x\n"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("bigcode/starcoder", "starcoder"),
        ("bigcode/starcoderbase-1b", "starcoder"),
        ("bigcode/tiny_starcoder_py", "starcoder"),
        ("bigcode/starcoder2-3b", "starcoder2"),
        ("codellama/CodeLlama-7b-hf", "codellama"),
        ("meta-llama/CodeLlama-13b-Instruct-hf", "codellama"),
        ("facebook/incoder-1B", "incoder"),
        ("deepseek-ai/deepseek-coder-6.7b-base", "deepseek-coder"),
        ("deepseek-ai/DeepSeek-Coder-V2-Lite-Base", "deepseek-coder"),
        ("Qwen/Qwen2.5-Coder-0.5B", "qwen2.5-coder"),
        ("google/codegemma-2b", "codegemma"),
        ("/models/Codestral-22B-v0.1", "codestral"),
    ],
)
def test_a_models_id_tells_its_format(model: str, name: str) -> None:
    assert format_of_model(model).name == chosen_format(None, model).name == name


@pytest.mark.parametrize(
    "model", ["gpt2", "codellama/CodeLlama-34b-hf", "codellama/CodeLlama-7b-Python-hf"]
)
def test_a_model_that_was_not_trained_to_infill_is_refused(model: str) -> None:
    with pytest.raises(InfillingFormatError, match=r"name a format \(starcoder2, "):
        format_of_model(model)


def test_a_template_of_ones_own() -> None:
    chosen = chosen_format("<A>{suffix}<B>{prefix}<C>", stops=["<D>"])
    assert chosen.prompt("p {suffix}", "s") == "<A>s<B>p {suffix}<C>"
    assert chosen.middle(" m <D> n") == " m "
    assert chosen_format("codellama-spm", "x").name == "codellama-spm"


@pytest.mark.parametrize("template", ["{prefix}", "{prefix}{suffix}{suffix}", "{suffix}"])
def test_a_template_without_one_of_the_two_is_refused(template: str) -> None:
    with pytest.raises(InfillingFormatError, match="exactly once"):
        chosen_format(template)
    with pytest.raises(InfillingFormatError, match="empty stop"):
        template_format("{prefix}{suffix}", [""])


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        # As the makers' `infilling_prompt_tokens` has it: a blank before the prefix, none before
        # the suffix. The tokenizer's own `suffix=` puts one there too in transformers 5.24.
        ("codellama", ["<s>", "▁<PRE>", *"▁ab▁(", "▁<SUF>", *"\n+▁c", "▁<MID>"]),
        ("codellama-spm", ["<s>", "▁<PRE>", "▁<SUF>", *"\n+▁c", "▁<MID>", *"▁ab▁("]),
    ],
)
def test_the_local_spelling_gives_the_tokens_that_are_meant(name: str, tokens: list[str]) -> None:
    transformers = pytest.importorskip("transformers", minversion="5")
    letters = {each: number + 3 for number, each in enumerate("▁abc()+\n")}
    tokenizer = transformers.CodeLlamaTokenizer(
        vocab={"<unk>": 0, "<s>": 1, "</s>": 2, **letters}, merges=[]
    )
    text = infilling_format(name).prompt("ab (", "\n+ c", local=True)
    assert tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"]) == tokens
