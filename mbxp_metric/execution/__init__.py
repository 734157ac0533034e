"""Programs in, verdicts out: sandboxed, with real compilers."""

from mbxp_metric.execution.consent import ExecutionNotAllowed, require_consent
from mbxp_metric.execution.job import ENGINES, Job, Result, Settings
from mbxp_metric.execution.journal import Journal, JournalMismatch
from mbxp_metric.execution.launching import IsolationUnavailable
from mbxp_metric.execution.program import Program, assemble
from mbxp_metric.execution.runtimes import LANGUAGES, runtime
from mbxp_metric.execution.runtimes.base import Toolchain, ToolchainMissing
from mbxp_metric.execution.sandbox import LEVELS, Isolation
from mbxp_metric.execution.scheduler import Executor
from mbxp_metric.execution.verdict import Verdict

__all__ = [
    "ENGINES",
    "LANGUAGES",
    "LEVELS",
    "ExecutionNotAllowed",
    "Executor",
    "Isolation",
    "IsolationUnavailable",
    "Job",
    "Journal",
    "JournalMismatch",
    "Program",
    "Result",
    "Settings",
    "Toolchain",
    "ToolchainMissing",
    "Verdict",
    "assemble",
    "require_consent",
    "runtime",
]
