"""What a model reads: plain, few-shot, chat, and the variants' rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mbxp_datasets.variants import Insertion, Summarization, Translation
from mbxp_datasets.variants.few_shot import few_shot_examples
from mbxp_metric.generation import GenerationError, GenerationSettings, PromptBuilder, Request
from mbxp_metric.generation.infilling import template_format
from mbxp_metric.generation.tasks import TaskSet, load_tasks, parse_shots
from tests.generation import tiny

ROWS = tiny.problems("python")
KOTLIN = {"language": "kotlin", "prompt": "fun f(): Int {\n", "canonical_solution": None}


def requests(rows: Any, examples: Any = (), infilling: Any = None, **settings: Any) -> Any:
    builder = PromptBuilder(GenerationSettings(**settings), examples, infilling)
    return list(builder.requests(rows))


def test_a_plain_prompt_is_the_rows_own() -> None:
    found = requests(ROWS, n=2, temperature=1)
    assert [each.prompt for each in found] == [row["prompt"] for row in ROWS for _ in range(2)]
    assert [each.sample for each in found] == [0, 1] * len(ROWS)
    assert len({each.seed for each in found}) == len(found)
    assert found[0].row("a\ud800b")["completion"] == "a\ufffdb"


def test_examples_stand_before_the_prompt_and_are_no_tasks() -> None:
    tasks = TaskSet("own", "", ROWS).with_examples(3)
    assert tasks.about()["examples"] == [row["task_id"] for row in ROWS[:3]]
    (found,) = requests(tasks.rows, tasks.examples, style="few-shot", shots=3)
    shots = [row["prompt"] + (row["canonical_solution"] or "") for row in ROWS[:3]]
    assert found.prompt == "\n".join([*shots, ROWS[3]["prompt"]])
    assert (found.task_id, found.head) == (ROWS[3]["task_id"], ROWS[3]["prompt"])


def test_a_limit_counts_tasks_and_is_no_other_data() -> None:
    tasks = TaskSet("own", "", ROWS).with_examples(2)
    limited = tasks.limited(1)
    assert [row["task_id"] for row in limited.rows] == [ROWS[2]["task_id"]]
    assert limited.about() == tasks.about()


def test_examples_are_the_first_with_a_solution() -> None:
    rows = [{**ROWS[0], "canonical_solution": None}, *ROWS[1:]]
    assert [row["task_id"] for row in few_shot_examples(rows, 2)] == [
        row["task_id"] for row in ROWS[1:3]
    ]
    given = few_shot_examples(rows, 1, {ROWS[0]["task_id"]: "    return 0\n"})
    assert given[0]["canonical_solution"] == "    return 0\n"
    with pytest.raises(GenerationError, match="4 solved problems are needed, but there are 3"):
        TaskSet("own", "", rows).with_examples(4)


def test_the_paper_takes_one_more_of_mathqa() -> None:
    assert [parse_shots("paper", name) for name in ("mbxp", "mathqa_x")] == [3, 4]
    with pytest.raises(GenerationError, match="a number, or paper"):
        parse_shots("many", "mbxp")


def test_a_chat_model_is_told_what_to_do() -> None:
    (found, *_) = requests(ROWS, style="chat")
    assert [each["role"] for each in found.messages] == ["user"]
    assert "function in Python" in found.prompt
    assert found.prompt.endswith(f"```python\n{ROWS[0]['prompt']}```")
    assert "answer" in found.row("text")
    assert not found.until_function_ends
    (last,) = requests(ROWS, ROWS[:3], style="chat", shots=3)
    assert [each["role"] for each in last.messages] == ["user", "assistant"] * 3 + ["user"]


def test_a_translations_program_begins_with_its_target() -> None:
    kotlin = [{**row, **KOTLIN} for row in ROWS]
    sources = [{**row, "task_id": row["task_id"]} for row in ROWS]
    rows = list(Translation().rows(kotlin, sources))
    (found, *_) = requests(rows)
    assert found.prompt.startswith(ROWS[0]["prompt"])
    assert found.head == KOTLIN["prompt"]
    assert found.until_function_ends


def test_a_summary_ends_with_its_line() -> None:
    (found, *_) = requests(list(Summarization().rows(ROWS)))
    assert not found.until_function_ends
    assert found.row(" function.\nprint(1)")["completion"] == " function."


def test_an_insertion_is_put_in_the_models_format() -> None:
    rows = list(Insertion().rows(ROWS))
    with pytest.raises(GenerationError, match="--infilling"):
        requests(rows)
    infilling = template_format("<A>{suffix}<B>{prefix}<C>", ["<END>"])
    found: Request = requests(rows, infilling=infilling)[0]
    right, left = rows[0]["right_context"], rows[0]["left_context"]
    assert found.prompt == f"<A>{right}<B>{left}<C>"
    assert found.row("    x = 1\n<END> more")["completion"] == "    x = 1\n"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n": 3, "temperature": 0}, "3 equal samples"),
        ({"top_p": 0}, "top_p is 0"),
        ({"temperature": -1}, "temperature is -1"),
        ({"max_new_tokens": 0}, "max_new_tokens is 0"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(GenerationError, match=message):
        GenerationSettings(**settings)


def test_variants_load_by_their_config(official_dir: Path) -> None:
    tasks = load_tasks("mbxp/t-mbkp", official_dir)
    assert tasks.name == "mbxp/t-mbkp"
    assert tasks.rows[0]["variant"] == "t"
    assert tasks.with_examples(3).about()["examples"]
    with pytest.raises(GenerationError, match="no split"):
        load_tasks("mbxp/r-mbkp:cases", official_dir)
    with pytest.raises(GenerationError, match="no option of s-mbkp"):
        load_tasks("mbxp/s-mbkp", official_dir, options={"seeds": 1})
