"""Drop, robust pass, robust drop and robust relative change against values by hand."""

from __future__ import annotations

import pytest

from mbxp_metric.robustness import Run, Task, robustness, scores

Y, N = True, False


def _table(**tasks: list[bool]) -> dict[Task, list[bool]]:
    return {("go", name): list(samples) for name, samples in tasks.items()}


def test_one_sample_and_three_seeds() -> None:
    nominal = _table(a=[Y], b=[Y], c=[Y], d=[N], e=[N])
    seeds = [
        _table(a=[Y], b=[N], c=[Y], d=[Y], e=[N]),
        _table(a=[Y], b=[Y], c=[Y], d=[Y], e=[Y]),
        _table(a=[Y], b=[Y], c=[N], d=[Y], e=[N]),
    ]
    found = scores(nominal, seeds)
    # Worst of three: a and d pass, b and c are lost, d is won.
    assert (found["n_tasks"], found["seeds"]) == (5, 3)
    assert found["nominal_pass@1"] == pytest.approx(3 / 5)
    assert found["pass@1_by_seed"] == pytest.approx([3 / 5, 5 / 5, 3 / 5])
    assert found["pass@1"] == pytest.approx(11 / 15)
    assert found["drop@1"] == pytest.approx((3 / 5 - 11 / 15) / (3 / 5))
    assert found["RP@1"] == pytest.approx(2 / 5)
    assert found["RD@1"] == pytest.approx(1 / 3)
    assert found["RR@1"] == pytest.approx(3 / 5)


def test_several_samples_are_compared_one_by_one() -> None:
    nominal = _table(a=[Y, Y, N, N])
    seeds = [_table(a=[Y, N, Y, N]), _table(a=[Y, Y, Y, N])]
    found = scores(nominal, seeds, (1, 2, 5))
    # Worst: samples 0 and 2; sample 1 is lost, sample 2 is won.
    assert found["RP@1"] == pytest.approx(2 / 4)
    assert found["RR@1"] == pytest.approx(1 / 4 + 1 / 4)
    # 1 - C(2,2)/C(4,2) = 5/6; of one in four 1 - C(3,2)/C(4,2) = 1/2.
    assert found["nominal_pass@2"] == found["RP@2"] == pytest.approx(5 / 6)
    assert found["RD@2"] == pytest.approx(0)
    assert found["RR@2"] == pytest.approx(1 / 2 + 1 / 2)
    assert "RP@5" not in found


def test_a_drop_from_nothing_is_not_defined() -> None:
    found = scores(_table(a=[N]), [_table(a=[Y])])
    assert found["drop@1"] is None
    assert found["RD@1"] is None
    assert found["RR@1"] == 1.0


def test_all_perturbations_together_are_the_worst_case() -> None:
    nominal = Run("n", "nominal", "go", _table(a=[Y], b=[Y]))
    case = Run("c", "case", "go", _table(a=[Y], b=[N]))
    tabs = Run("t", "tabs", "go", _table(a=[N], b=[Y]))
    rows = {row["perturbation"]: row for row in robustness([nominal], [case, tabs])}
    assert {name: row["RP@1"] for name, row in rows.items()} == {"case": 0.5, "tabs": 0.5, "all": 0}
