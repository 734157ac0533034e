"""Ruby: a method at the top level; numbers compare by value, everything else by class too."""

from __future__ import annotations

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_a import FamilyA
from mbxp_datasets.conversion.problem import TypedProblem
from mbxp_datasets.conversion.targets.base import RELATIVE_TOLERANCE
from mbxp_datasets.conversion.targets.script import Script
from mbxp_datasets.conversion.types import ANY, Type
from mbxp_datasets.conversion.values import Value

_KEYWORDS = """__ENCODING__ __LINE__ __FILE__ BEGIN END alias and begin break case class def defined
do else elsif end ensure false for if in module next nil not or redo rescue retry return self super
then true undef unless until when while yield"""
# Methods of every object that a method at the top level would replace for the test as well.
_METHODS = """class clone dup eval exit format hash inspect lambda load loop method methods p print
printf proc puts raise rand require send sleep sprintf system test throw catch freeze initialize
method_missing to_a to_ary to_f to_hash to_s to_str"""

_SAME = f"""

def mbxp__same(actual, expected, tolerance)
  case expected
  when Float
    return false unless actual.is_a?(Numeric)
    return actual.to_f.nan? if expected.nan?
    return actual == expected if expected.infinite?
    actual == expected || (actual.to_f.finite? &&
      (actual - expected).abs <= [tolerance, {RELATIVE_TOLERANCE} * expected.abs].max)
  when Integer
    actual.is_a?(Numeric) && actual == expected
  when Array
    actual.is_a?(Array) && actual.length == expected.length &&
      actual.each_index.all? {{ |i| mbxp__same(actual[i], expected[i], tolerance) }}
  when Set
    actual.is_a?(Set) && mbxp__in_any_order(actual.to_a, expected.to_a, tolerance)
  when Hash
    actual.is_a?(Hash) && mbxp__in_any_order(actual.to_a, expected.to_a, tolerance)
  else
    actual.class == expected.class && actual == expected
  end
end

def mbxp__in_any_order(actual, expected, tolerance)
  left = actual.dup
  actual.length == expected.length && expected.all? do |item|
    found = left.index {{ |one| mbxp__same(one, item, tolerance) }}
    found && left.delete_at(found)
    !found.nil?
  end
end

"""


class Ruby(Script):
    language = "ruby"
    title = "Ruby"
    comment = ("##", "# ", "")
    comment_escapes = {}
    prompt_marks = ("irb> ", "=> ")
    words = {"None": "nil", "True": "true", "False": "false"}
    reserved = frozenset(f"{_KEYWORDS} {_METHODS}".split())
    end = ""
    infinities = ("Float::INFINITY", "-Float::INFINITY", "Float::NAN")
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "#": "\\#"}
    strict_call = """unless mbxp__same({call}, {expected}, {tolerance})
    raise StandardError, "Error at test case {number}"
end

"""

    def function_name(self, entry_point: str) -> str:
        return names.distinct([names.snake(entry_point)], self.reserved)[0]

    def parameter_names(self, parameters: tuple[str, ...]) -> list[str]:
        return names.distinct([names.snake(name) for name in parameters], self.reserved)

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"Set[{self.literals(items, ANY)}]"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        pairs = (f"{self.literal(k, ANY)}=>{self.literal(v, ANY)}" for k, v in items.items())
        return f"{{{', '.join(pairs)}}}"

    def signature(self, typed: TypedProblem) -> str:
        parameters = ", ".join(parameter.name for parameter in typed.parameters)
        return f"def {typed.function}({parameters})"

    def prompt(self, typed: TypedProblem) -> str:
        return f'require "set"\n\n{self.doc_comment(typed)}{self.signature(typed)}\n'

    def test(self, typed: TypedProblem) -> str:
        return _SAME + self.strict_cases(typed)

    @property
    def stub(self) -> str:
        return '  raise NotImplementedError, "not written"\nend\n'


class RubyRelease(FamilyA, Ruby):
    """As the release has it: no Set at hand before Ruby 3.2, and no final newline."""

    expert = True
    none_in_prose = "nil"
    replaced_parameters = {"end": "_end"}

    def rename(self, name: str) -> str:
        return names.snake(name)

    def prompt(self, typed: TypedProblem) -> str:
        return f"\n{self.doc_comment(typed)}{self.signature(typed)}"

    def test(self, typed: TypedProblem) -> str:
        return "\n\n" + "".join(
            f"{self.release_case(typed, i, case)}if x{i} != v{i}\n"
            f'    raise StandardError, "Error at test case {i + 1}"\nend\n\n'
            for i, case in enumerate(typed.cases)
        )


STRICT = Ruby()
RELEASE = RubyRelease()
