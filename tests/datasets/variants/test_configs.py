"""Variants as configs: names, options, cache, mistakes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from release_rows import problem, write_rows

from mbxp_datasets import BENCHMARKS, FIELDS, resolve_config
from mbxp_datasets.variants import VARIANTS, variant_configs

datasets = pytest.importorskip("datasets")
Load = Callable[..., Any]


@pytest.fixture
def data_dir(tmp_path: Path) -> str:
    """A flat directory with four problems in Python and in Kotlin."""
    root = tmp_path / "data_dir"
    for name in ("python", "kotlin"):
        config = resolve_config("mbxp", name)
        rows = [
            problem(config, number, canonical_solution="  a = 1\n  b = 2\n  return b\n")
            for number in range(1, 5)
        ]
        write_rows(root / config.file, rows)
    return str(root)


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_config_names_are_listed_without_data(benchmark: str) -> None:
    names = datasets.get_dataset_config_names(benchmark)
    for variant in VARIANTS.values():
        configs = variant_configs(BENCHMARKS[benchmark], variant)
        assert configs
        assert {f"{variant.letter}-{config.name}" for config in configs} <= set(names)


@pytest.mark.parametrize("letter", VARIANTS)
def test_human_eval_loads_offline(load: Load, letter: str) -> None:
    for config in variant_configs(BENCHMARKS["multi_humaneval"], VARIANTS[letter]):
        if config.language not in ("python", "kotlin", "cpp", "rust"):
            continue
        style = "strict" if config.language == "rust" else "release"
        name = f"{letter}-{config.name}"
        split = VARIANTS[letter]().splits[-1]
        rows = load("multi_humaneval", name, source="convert", style=style, split=split)
        assert rows.num_rows > 100
        assert set(rows.column_names) == {*FIELDS, "variant", *VARIANTS[letter].columns}
        assert set(rows["variant"]) == {letter}


def test_every_official_config_loads(load: Load, official_dir: Path) -> None:
    for benchmark in BENCHMARKS.values():
        for letter, variant in VARIANTS.items():
            for config in variant_configs(benchmark, variant):
                if config.file:
                    name = f"{letter}-{config.name}"
                    split = variant().splits[-1]
                    rows = load(benchmark.name, name, data_dir=str(official_dir), split=split)
                    assert rows.num_rows > 50
                    assert len(set(rows["task_id"])) == rows.num_rows


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("t-kotlin", {"commented": True}),
        ("I-mbkp", {"seed": 3, "right_context_lines": 1}),
        ("s-mbkp", {"shots": 3, "seed": 2}),
        ("r-mbkp", {"seed": 2, "split": "case"}),
        ("r-mbkp", {"perturbations": ["tabs", "butter_fingers"], "split": "tabs"}),
        ("r-mbkp", {"perturbations": "butter_fingers", "split": "butter_fingers"}),
    ],
)
def test_rows_are_the_same_each_time_and_streamed(
    load: Load, data_dir: str, tmp_path: Path, name: str, options: dict[str, Any]
) -> None:
    first = load("mbxp", name, data_dir=data_dir, **options)
    again = load("mbxp", name, data_dir=data_dir, cache_dir=str(tmp_path / "other"), **options)
    assert list(first) == list(again)
    streamed = load("mbxp", name, data_dir=data_dir, streaming=True, **options)
    assert list(streamed) == list(first)
    assert list(pickle.loads(pickle.dumps(streamed))) == list(first)


def test_options_never_share_a_table(load: Load, data_dir: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("t-mbkp", {}),
        ("t-mbkp", {"commented": True}),
        ("i-mbkp", {}),
        ("i-mbkp", {"right_context_lines": 0}),
        ("i-mbkp", {"seed": 1}),
        ("i-mbkp", {"left_to_right": True}),
        ("s-mbkp", {}),
        ("s-mbkp", {"shots": 1}),
    ]
    files = {
        load("mbxp", name, data_dir=data_dir, **options).cache_files[0]["filename"]
        for name, options in calls
    }
    assert len(files) == len(calls)


def test_changed_sources_are_not_served_from_the_cache(load: Load, data_dir: str) -> None:
    before = load("mbxp", "t-mbkp", data_dir=data_dir)
    path = Path(data_dir) / resolve_config("mbxp", "python").file
    path.write_bytes(path.read_bytes().replace(b"return b", b"return a"))
    after = load("mbxp", "t-mbkp", data_dir=data_dir)
    assert "return b" in before[0]["prompt"]
    assert "return a" in after[0]["prompt"]


def test_changed_solutions_are_not_served_from_the_cache(
    load: Load, data_dir: str, solutions: Callable[[str], str]
) -> None:
    for body in ("one", "two"):
        path = solutions(json.dumps({"task_id": "MBPP/1", "completion": body}))
        rows = load("mbxp", "t-mbkp", data_dir=data_dir, solutions=path)
        assert rows[0]["source_program"].endswith(body)


@pytest.mark.parametrize(
    ("benchmark", "name", "options", "said"),
    [
        ("mbxp", "i-mbgp", {}, "has no i-mbgp, since the release has no solutions for it"),
        ("mbxp", "t-kotln", {}, r"did you mean kotlin \(mbkp\)"),
        ("mbxp", "mbkp", {"seed": 1}, "seed= is no option of mbkp, which is no variant's config"),
        ("mbxp", "t-mbkp", {"shots": 3}, "shots= is no option of t-mbkp, which takes commented"),
        ("mbxp", "i-mbkp", {"right_context_lines": -1}, "whole number of at least 0"),
        ("mbxp", "s-mbkp", {"shots": 9}, "shots=9 needs as many other problems"),
        ("mbxp", "t-mbkp", {"source_language": "kotlin"}, "the target's own; name another"),
        ("mbxp", "t-mbkp", {"source_language": "go"}, "no solution in go; pass solutions="),
        ("mathqa_x", "t-python", {}, "has no t-python"),
        ("mbxp", "r-mbkp", {"perturbations": ["noise"]}, "'noise' is unknown; there are case"),
        (
            "mbxp",
            "r-mbkp",
            {"perturbations": ["synonyms"], "wordnet": "/nowhere"},
            "no /nowhere/index.noun: apt-get install wordnet-base, or pass wordnet=",
        ),
        ("mbxp", "r-mbkp", {"case_share": 2}, "case_share=2 must be from 0 to 1"),
    ],
)
def test_a_mistake_gives_one_line(
    load: Load, data_dir: str, benchmark: str, name: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        load(benchmark, name, data_dir=data_dir, **options)
    assert "\n" not in str(caught.value)


def test_splits_are_named_after_the_perturbations(load: Load, data_dir: str) -> None:
    assert datasets.get_dataset_split_names("mbxp", "r-mbkp") == ["nominal", "case"]
    loaded = load("mbxp", "r-mbkp", data_dir=data_dir, split=None)
    assert {name: set(rows["perturbation"]) for name, rows in loaded.items()} == {
        "nominal": {"nominal"},
        "case": {"case"},
    }


def test_no_solution_at_all_is_said(load: Load, tmp_path: Path) -> None:
    config = resolve_config("mbxp", "kotlin")
    write_rows(tmp_path / config.file, [problem(config, 1, canonical_solution=None)])
    with pytest.raises(ValueError, match="none of these problems makes a row"):
        load("mbxp", "s-mbkp", data_dir=str(tmp_path))
