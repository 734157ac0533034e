"""A Perl program that prints values; whether a scalar is a text is told by Perl's own flags."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.perl import STRICT
from mbxp_datasets.conversion.types import Type
from mbxp_datasets.conversion.values import Value

LOSSY = frozenset({"bools", "keys"})
"""A bool is 1 or 0; the keys of a hash are strings, and a set is a hash's keys."""

_WRITER = r"""use utf8;
use B ();

sub json {
    my ($value) = @_;
    return 'null' unless defined $value;
    return '[' . join(', ', map { json($_) } @$value) . ']' if ref $value eq 'ARRAY';
    if (ref $value eq 'HASH') {
        return '{"d": ' . json([map { [$_, $value->{$_}] } keys %$value]) . '}';
    }
    my $flags = B::svref_2object(\$value)->FLAGS;
    if ($flags & B::SVf_POK) {
        my $text = '';
        for my $code (map { ord } split //, $value) {
            my @units = $code < 0x10000 ? $code
                : (0xd7c0 + ($code >> 10), 0xdc00 + ($code & 0x3ff));
            $text .= $code >= 32 && $code <= 126 && $code != 34 && $code != 92
                ? chr $code : sprintf '\\u%04x' x @units, @units;
        }
        return "\"$text\"";
    }
    return $value unless $flags & B::SVf_NOK;
    my $text = lc sprintf '%.17g', $value;
    return "{\"f\": \"$text\"}";
}

"""


def program(values: list[tuple[Value, Type]]) -> str:
    lines = (
        f'print json(scalar({STRICT.literal(value, found)})), "\\n";\n' for value, found in values
    )
    return _WRITER + "".join(lines)
