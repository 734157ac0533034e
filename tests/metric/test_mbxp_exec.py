from __future__ import annotations

import json
import multiprocessing
import pickle
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pytest

import mbxp_metric
from mbxp_datasets.extras import MissingExtraError
from mbxp_metric.completions import parsing
from mbxp_metric.execution import ExecutionNotAllowed, Job, JournalMismatch, Verdict
from mbxp_metric.mbxp_exec import MbxpExec
from mbxp_metric.testing import fake_execution

from .conftest import as_written, row

FAIL = Verdict.WRONG_ANSWER.value
INFRA = Verdict.INFRA_ERROR.value


@pytest.fixture(autouse=True)
def _fake() -> Iterator[None]:
    with fake_execution(as_written):
        yield


def _compute(references: Any, predictions: Any, **kwargs: Any) -> dict[str, Any]:
    kwargs.setdefault("k", [1])
    result = MbxpExec().compute(references=references, predictions=predictions, **kwargs)
    assert result is not None
    return result


def test_evaluate_finds_it_by_name() -> None:
    metric = evaluate.load("mbxp_exec")
    assert type(metric) is MbxpExec
    assert "pass@k" in metric.compute.__doc__
    assert mbxp_metric.MbxpExec is MbxpExec


def test_pass_at_k_is_the_mean_over_problems() -> None:
    scores = _compute([row(0), row(1)], [["", FAIL], [FAIL, FAIL]], k=[1, 2])
    assert scores["pass@1"] == 0.25
    assert scores["pass@2"] == 0.5
    assert (scores["n_problems"], scores["n_samples"], scores["coverage"]) == (2, 4, 1.0)
    assert scores["verdicts"]["PASSED"] == 1
    assert scores["verdicts"]["WRONG_ANSWER"] == 3
    assert "|n:2|k:1,2|" in scores["signature"]
    assert "by_language" not in scores
    low, high = scores["pass@1_ci95"]
    assert 0 <= low <= 0.25 <= high <= 0.5


def test_results_stand_in_the_order_of_the_input() -> None:
    scores = _compute([row(n) for n in range(20)], [["", FAIL]] * 20, num_workers=3)
    assert [(each["task_id"], each["sample"], each["passed"]) for each in scores["results"]] == [
        (f"Own/{n}", sample, not sample) for n in range(20) for sample in range(2)
    ]


def test_equal_calls_give_equal_results_with_any_number_of_workers() -> None:
    rows, predictions = [row(n) for n in range(9)], [["", FAIL, ""]] * 9
    one, four = (_compute(rows, predictions, num_workers=n) for n in (1, 4))
    assert one == four


def test_everything_is_json() -> None:
    scores = _compute([row(0)], [["", FAIL]])
    assert json.loads(json.dumps(scores))["results"][1]["verdict"] == FAIL


@pytest.mark.parametrize("form", ["rows", "dataset", "columns", "column objects"])
def test_references_may_be_rows_a_dataset_or_columns(form: str) -> None:
    rows = [row(0), row(1)]
    columns = {name: [each[name] for each in rows] for name in rows[0]}
    dataset = datasets.Dataset.from_dict(columns)
    references = {
        "rows": rows,
        "dataset": dataset,
        "columns": columns,
        "column objects": {name: dataset[name] for name in columns},
    }[form]
    assert _compute(references, [[""], [FAIL]])["pass@1"] == 0.5


def test_a_prediction_may_be_one_completion() -> None:
    assert _compute([row(0), row(1)], ["", FAIL])["pass@1"] == 0.5


def test_other_columns_are_ignored_and_optional_ones_may_be_missing() -> None:
    bare = {name: row(0)[name] for name in ("task_id", "language", "prompt", "test", "entry_point")}
    assert _compute([{**bare, "extra": 3}], [[""]])["pass@1"] == 1.0


def test_no_candidates_are_zero_passes_and_do_not_hide_a_k() -> None:
    scores = _compute([row(0), row(1)], [["", ""], []], k=[1, 2])
    assert (scores["pass@1"], scores["pass@2"]) == (0.5, 0.5)
    assert (scores["n_problems"], scores["coverage"]) == (2, 0.5)
    assert _compute([row(0)], [[]], k=[5])["pass@5"] == 0.0


def test_a_k_above_the_samples_is_absent_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="pass@10 is absent: a problem has only 2"):
        scores = _compute([row(0), row(1)], [["", ""], [""] * 10], k=[1, 10])
    assert "pass@1" in scores
    assert "pass@10" not in scores
    assert "pass@10_ci95" not in scores


def test_an_infrastructure_error_withholds_the_score_of_its_language_only() -> None:
    rows = [row(0), row(1, "java")]
    with pytest.warns(UserWarning, match=r"withheld: 1 sample\(s\) of java"):
        scores = _compute(rows, [["", FAIL], ["", INFRA]])
    assert "pass@1" not in scores
    assert scores["infra_errors"] == 1
    assert scores["by_language"]["python"]["pass@1"] == 0.5
    assert "pass@1" not in scores["by_language"]["java"]
    assert scores["verdicts"][FAIL] == 1


def test_a_missing_toolchain_is_named_missing() -> None:
    with fake_execution(as_written, missing=["java"]), pytest.warns(UserWarning, match="withheld"):
        scores = _compute([row(0, "java")], [[""]])
    assert "|java:missing|" in scores["signature"]


def test_several_languages_are_scored_apart_too() -> None:
    scores = _compute([row(0), row(0, "kotlin")], [[""], [FAIL]])
    assert scores["pass@1"] == 0.5
    assert {name: each["pass@1"] for name, each in scores["by_language"].items()} == {
        "python": 1.0,
        "kotlin": 0.0,
    }


def test_one_id_in_several_languages_is_several_problems() -> None:
    rows = [row(0, language) for language in ("python", "java", "javascript")]
    assert _compute(rows, [[""]] * 3)["n_problems"] == 3


def test_rows_of_one_problem_are_one_problem() -> None:
    scores = _compute([row(0), row(1), row(0)], [[""], [FAIL], [FAIL]])
    assert (scores["n_problems"], scores["n_samples"], scores["pass@1"]) == (2, 3, 0.25)
    assert [each["sample"] for each in scores["results"]] == [0, 0, 1]


def test_add_and_add_batch_lead_to_the_same() -> None:
    metric = MbxpExec()
    metric.add(prediction=["", FAIL], reference=row(0))
    metric.add(prediction=FAIL, reference=row(1))
    metric.add_batch(predictions=[[""]], references=[row(2)])
    metric.add_batch(predictions=[], references=[])
    scores = metric.compute(k=[1])
    assert scores is not None
    assert [each["task_id"] for each in scores["results"]] == ["Own/0", "Own/0", "Own/1", "Own/2"]
    assert scores["pass@1"] == 0.5


def test_nothing_at_all_is_no_score() -> None:
    with pytest.warns(UserWarning, match="there are no problems"):
        scores = _compute([], [])
    assert (scores["n_problems"], scores["results"]) == (0, [])


def test_it_works_in_memory_and_pickled() -> None:
    metric = pickle.loads(pickle.dumps(MbxpExec(keep_in_memory=True)))
    scores = metric.compute(references=[row(0)], predictions=[[""]], k=[1])
    assert scores["pass@1"] == 1.0


def test_it_can_be_combined() -> None:
    both = evaluate.combine(["mbxp_exec", "mbxp_exec"], force_prefix=True)
    scores = both.compute(references=[row(0)], predictions=[[""]], k=[1])
    assert scores["mbxp_exec_0_pass@1"] == scores["mbxp_exec_1_pass@1"] == 1.0


def test_what_a_completion_holds_arrives_unchanged() -> None:
    seen: list[str] = []

    def see(job: Job) -> Verdict:
        seen.append(job.program.head)
        return Verdict.PASSED

    texts = ["a\ud800b", "\udc80", "\ufdd0", "\ufdd0d800", "\0", "\U0001f600", "x\r\n\ry ", ""]
    with fake_execution(see):
        _compute([row(0, prompt="\ud83dp")], [texts], num_workers=1)
    assert sorted(seen) == sorted("\ud83dp" + text for text in texts)


def test_nothing_happens_without_consent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HF_ALLOW_CODE_EVAL")
    metric = MbxpExec(cache_dir=str(tmp_path / "arrow"))
    untouchable: Any = object()
    for call in (
        lambda: metric.add(prediction=untouchable, reference=untouchable),
        lambda: metric.add_batch(predictions=untouchable, references=untouchable),
        lambda: metric.compute(predictions=untouchable, references=untouchable),
    ):
        with pytest.raises(ExecutionNotAllowed, match="HF_ALLOW_CODE_EVAL=1"):
            call()
    assert not [path for path in (tmp_path / "arrow").rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("references", "predictions", "said"),
    [
        ([row(0)], "text", "predictions must be a list"),
        ([row(0)], None, "predictions must be a list"),
        ([row(0)], [[3]], r"predictions\[0\]\[0\] is int"),
        ([row(0)], [None], r"predictions\[0\] must be a list"),
        ([row(0)], [[""], [""]], "2 predictions, but 1 references"),
        (["row"], [[""]], r"references\[0\] is str"),
        ([row(0), {"task_id": "x"}], [[""]] * 2, r"references\[1\]: field 'language' is missing"),
        ([row(0, test=None)], [[""]], "field 'test' is NoneType"),
        ([row(0, "klingon")], [[""]], "language 'klingon' is not one of python"),
        ({"task_id": ["a", "b"], "test": ["c"]}, [[""]], "differ in length"),
    ],
)
def test_wrong_inputs_are_named(references: Any, predictions: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        _compute(references, predictions)


@pytest.mark.parametrize(
    ("option", "error"),
    [
        ({"k": [0]}, ValueError),
        ({"k": []}, ValueError),
        ({"k": [1.5]}, TypeError),
        ({"timeout": 0}, ValueError),
        ({"num_workers": 0}, ValueError),
        ({"bootstrap": -1}, ValueError),
        ({"k_max": 3}, TypeError),
        ({"truncate": "all"}, ValueError),
    ],
)
def test_wrong_options_are_refused_before_anything_is_written(
    option: dict[str, Any], error: type[Exception], tmp_path: Path
) -> None:
    metric = MbxpExec(cache_dir=str(tmp_path / "arrow"))
    with pytest.raises(error):
        metric.compute(references=[row(0)], predictions=[[""]], **option)
    assert not [path for path in (tmp_path / "arrow").rglob("*") if path.is_file()]


def test_intervals_follow_seed_and_can_be_left_out() -> None:
    rows, predictions = [row(n) for n in range(30)], [[""], [FAIL], [""]] * 10
    first, again, other = (
        _compute(rows, predictions, seed=seed, bootstrap=40)["pass@1_ci95"] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    assert "pass@1_ci95" not in _compute(rows, predictions, bootstrap=0)


def test_a_journal_spares_what_is_known(tmp_path: Path) -> None:
    executed: list[int] = []

    def count(job: Job) -> Verdict:
        executed.append(job.index)
        return as_written(job)

    rows, journal = [row(0), row(1)], tmp_path / "journal.jsonl"
    with fake_execution(count):
        first = _compute(rows, [["", FAIL], [""]], journal=journal)
        assert _compute(rows, [["", FAIL], [""]], journal=journal) == first
        assert len(executed) == 3
        _compute(rows, [["", FAIL], ["", "more"]], journal=journal)
        assert len(executed) == 4
    with pytest.raises(JournalMismatch, match="timeout was 10"):
        _compute(rows, [[""], [""]], journal=journal, timeout=11)


def test_no_warning_without_a_reason() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        _compute([row(0)], [[""]])


def _rank(process_id: int, cache_dir: str, answers: Any) -> None:
    with fake_execution(as_written):
        metric = MbxpExec(
            num_process=2, process_id=process_id, experiment_id="two", cache_dir=cache_dir
        )
        rows = [row(2 * process_id), row(2 * process_id + 1)]
        metric.add_batch(references=rows, predictions=[[""], ["a\ud800" + FAIL]])
        answers.put((process_id, metric.compute(k=[1])))


def test_two_processes_are_scored_by_the_first(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    ranks = [context.Process(target=_rank, args=(n, str(tmp_path), answers)) for n in range(2)]
    for rank in ranks:
        rank.start()
    got = dict(answers.get(timeout=120) for _ in ranks)
    for rank in ranks:
        rank.join()
    assert got[1] is None
    assert got[0]["pass@1"] == 0.5
    assert [each["task_id"] for each in got[0]["results"]] == [f"Own/{n}" for n in range(4)]


def _programs(references: Any, predictions: Any) -> tuple[list[str], str]:
    heads: list[str] = []

    def noted(job: Job) -> Verdict:
        heads.append(job.program.head)
        return Verdict.PASSED

    with fake_execution(noted):
        scores = _compute(references, predictions, num_workers=1)
    return heads, scores["signature"]


def test_translation_is_executed_without_its_source() -> None:
    prompts = {"prompt": "source\n\ntarget(", "target_prompt": "target("}
    given = row(0, task_id="MBPP/1", variant="t", **prompts)
    heads, signature = _programs([given], [["done)"]])
    assert heads == ["target(done)"]
    assert signature.startswith("mbxp/t-mbpp|")


def test_insertion_is_executed_before_its_right_context() -> None:
    given = row(0, task_id="MBPP/1/i0", prompt="left\n", right_context="right\n", variant="i")
    heads, signature = _programs([given], [["one\n", "two\n"]])
    assert sorted(heads) == ["left\none\nright\n", "left\ntwo\nright\n"]
    assert signature.startswith("mbxp/i-mbpp|")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"variant": "s"}, "a summary is text"),
        ({"right_context": 1}, "'right_context' is int"),
        ({"target_prompt": 1}, "'prompt' is int"),
    ],
)
def test_rows_of_variants_that_cannot_be_executed_are_refused(
    changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        _compute([row(0, **changes)], [[""]])


_TAIL = "    return 1\n\n\nprint(f0())\n"


@pytest.mark.parametrize(
    ("truncate", "said", "kept"),
    [
        (True, "keep", "    return 1\n"),
        ("cut", "cut", "    return 1\n"),
        (False, "off", _TAIL),
        (None, "off", _TAIL),
    ],
)
def test_completions_are_truncated_as_the_command_does(truncate: Any, said: str, kept: str) -> None:
    heads = []
    with fake_execution(lambda job: heads.append(job.program.head) or Verdict.PASSED):
        scores = _compute([row(0)], [[_TAIL]], truncate=truncate)
    assert heads == ["def f0():\n" + kept]
    assert f"|trunc:{said}|" in scores["signature"]


def test_the_code_of_chat_answers_is_executed_if_asked() -> None:
    heads = []
    answer = "Here:\n```python\ndef f0():\n    return 1\n```\nDone."
    with fake_execution(lambda job: heads.append(job.program.head) or Verdict.PASSED):
        scores = _compute([row(0)], [[answer]], truncate="extract")
    assert heads == ["def f0():\n    return 1"]
    assert "|trunc:extract|" in scores["signature"]


def test_an_insertion_is_never_truncated() -> None:
    heads = []
    problem = {**row(0), "right_context": "    return a\n\n\ndef g():\n    pass\n"}
    with fake_execution(lambda job: heads.append(job.program.head) or Verdict.PASSED):
        scores = _compute([problem], [["    a = 1\n"]])
    assert heads == ["def f0():\n    a = 1\n" + problem["right_context"]]
    assert "|trunc:off|" in scores["signature"]


def test_without_grammars_nothing_is_executed_and_the_remedy_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    parsing._parser.cache_clear()
    with pytest.raises(MissingExtraError, match=r"truncate=False.*mbxp\[completions\]"):
        _compute([row(0)], [[""]])
    assert _compute([row(0)], [[""]], truncate=False)["pass@1"] == 1.0
