"""multi-HumanEval for `datasets`."""

from builder_scripts import base
from mbxp_datasets.catalog import BENCHMARKS


class MultiHumaneval(base.ProblemsBuilder):
    """multi-HumanEval, one config a language, and one a variant of it."""

    BENCHMARK = BENCHMARKS["multi_humaneval"]
    BUILDER_CONFIGS = base.builder_configs(BENCHMARK)
