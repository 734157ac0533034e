"""MathQA-X for `datasets`."""

from builder_scripts import base
from mbxp_datasets.catalog import BENCHMARKS


class MathqaX(base.ProblemsBuilder):
    """MathQA-X, one config a language, and one a variant of it."""

    BENCHMARK = BENCHMARKS["mathqa_x"]
    BUILDER_CONFIGS = base.builder_configs(BENCHMARK)
