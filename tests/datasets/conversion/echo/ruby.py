"""A Ruby program that prints values; it keeps apart all that Python does but list and tuple."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.ruby import STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

_WRITER = r"""require "set"

def json(value)
  case value
  when nil then "null"
  when Float
    text = value.to_s.sub("Infinity", "inf").sub("NaN", "nan")
    "{\"f\": \"#{text}\"}"
  when String
    units = value.encode("UTF-16BE").unpack("n*").map do |unit|
      plain = unit.between?(32, 126) && unit != 34 && unit != 92
      plain ? unit.chr : format("\\u%04x", unit)
    end
    "\"#{units.join}\""
  when Array then "[#{value.map { |item| json(item) }.join(", ")}]"
  when Set then "{\"s\": #{json(value.to_a)}}"
  when Hash then "{\"d\": #{json(value.to_a)}}"
  else value.to_s
  end
end

"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = (f"puts json({STRICT.literal(value, found)})\n" for value, found in values)
    return _WRITER + "".join(lines)
