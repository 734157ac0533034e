"""MBXP for `datasets`."""

from builder_scripts import base
from mbxp_datasets.catalog import BENCHMARKS


class Mbxp(base.ProblemsBuilder):
    """MBXP, one config a language, and one a variant of it."""

    BENCHMARK = BENCHMARKS["mbxp"]
    BUILDER_CONFIGS = base.builder_configs(BENCHMARK)
