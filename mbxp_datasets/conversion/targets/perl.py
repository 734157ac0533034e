"""Perl: a sub at the top level; a scalar has no type, so 1, "1" and true are the same value."""

from __future__ import annotations

from collections.abc import Iterable

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_a import FamilyA
from mbxp_datasets.conversion.problem import TypedProblem
from mbxp_datasets.conversion.targets.base import RELATIVE_TOLERANCE, tolerance
from mbxp_datasets.conversion.targets.script import Script
from mbxp_datasets.conversion.types import ANY, INT64, Type
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value, children

_KEYWORDS = """abs accept alarm and atan2 bind binmode bless caller chdir chmod chomp chop chown chr
chroot close closedir cmp connect continue cos crypt dbmclose dbmopen defined delete die do dump
each else elsif eof eq eval evalbytes exec exists exit exp fc fcntl fileno flock for foreach fork
format formline ge getc getlogin getpeername getpgrp getppid getpriority glob gmtime goto grep gt
hex if index int ioctl join keys kill last lc lcfirst le length link listen local localtime lock log
lstat lt m map mkdir msgget my ne next no not oct open opendir or ord our pack package pipe pop pos
print printf prototype push q qq qr quotemeta qw qx rand read readdir readline readlink readpipe
recv redo ref rename require reset return reverse rewinddir rindex rmdir say scalar seek seekdir
select semget send setpgrp setpriority shift shmget shutdown sin sleep socket socketpair sort splice
split sprintf sqrt srand stat state study sub substr symlink syscall sysopen sysread sysseek system
syswrite tell telldir tie tied time times tr truncate uc ucfirst umask undef unless unlink unpack
unshift untie until use utime values vec wait waitpid wantarray warn while write x xor y"""

_SAME = f"""

use Scalar::Util ();

sub mbxp__same {{
    my ($actual, $expected, $tolerance) = @_;
    my $kind = shift @$expected;
    return !defined $actual if $kind eq 'none';
    # Perl's own false is the empty string.
    return 0 unless defined $actual;
    return !ref $actual && $actual =~ ($expected->[0] ? qr/^1\\z/ : qr/^0?\\z/) if $kind eq 'bool';
    if ($kind eq 'list') {{
        return 0 unless ref $actual eq 'ARRAY' && @$actual == @$expected;
        for my $i (0 .. $#$expected) {{
            return 0 unless mbxp__same($actual->[$i], $expected->[$i], $tolerance);
        }}
        return 1;
    }}
    if ($kind eq 'dict') {{
        return 0 unless ref $actual eq 'HASH' && 2 * keys %$actual == @$expected;
        while (my ($key, $value) = splice @$expected, 0, 2) {{
            return 0 unless exists $actual->{{$key}};
            return 0 unless mbxp__same($actual->{{$key}}, $value, $tolerance);
        }}
        return 1;
    }}
    return 0 if ref $actual && !Scalar::Util::blessed($actual);
    return "$actual" eq $expected->[0] if $kind eq 'text';
    return 0 unless Scalar::Util::looks_like_number("$actual");
    my $sought = $expected->[0];
    return 1 if $actual == $sought || ($sought != $sought && $actual != $actual);
    return 0 if $kind eq 'int' || $sought != $sought;
    return 0 if abs($sought) == 9**9**9 || abs($actual) == 9**9**9;
    my $near = {RELATIVE_TOLERANCE} * abs($sought);
    return abs($actual - $sought) <= ($tolerance > $near ? $tolerance : $near);
}}

"""


_LIST, _DICT = "'list'", "'dict'"


class Perl(Script):
    language = "perl"
    title = "Perl"
    comment = ("", "# ", "")
    comment_escapes = {}
    words = {"None": "undef", "True": "1", "False": "0"}
    reserved = frozenset(_KEYWORDS.split())
    variable = "my "
    sigil = "$"
    infinities = ("9**9**9", "-9**9**9", "-sin(9**9**9)")
    escapes = {
        '"': '\\"',
        "\\": "\\\\",
        "$": "\\$",
        "@": "\\@",
        "\n": "\\n",
        "\t": "\\t",
        "\r": "\\r",
    }

    def code_point(self, code: int) -> str:
        return f"\\x{{{code:x}}}"

    def function_name(self, entry_point: str) -> str:
        return names.distinct([names.snake(entry_point)], self.reserved)[0]

    def parameter_names(self, parameters: tuple[str, ...]) -> list[str]:
        return names.distinct([names.snake(name) for name in parameters], frozenset("ab_"))

    def integer(self, value: int, found: Type) -> str:
        if value not in INT64:
            raise UnsupportedValueError(f"{value} does not fit Perl's integers")
        return str(value)

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        self.check_keys(items)
        pairs = (f"{self.key(item)} => 1" for item in items)
        return f"{{{', '.join(pairs)}}}"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        self.check_keys(items)
        pairs = (f"{self.key(k)} => {self.literal(v, ANY)}" for k, v in items.items())
        return f"{{{', '.join(pairs)}}}"

    def check_keys(self, keys: Iterable[Value]) -> None:
        """See that no two keys are one to Perl.

        Raises:
            UnsupportedValueError: two are.
        """
        texts = [str(key) for key in keys]
        if len({*texts}) < len(texts):
            raise UnsupportedValueError("an int and a string of the same digits as keys")

    def key(self, key: Value) -> str:
        """A key of a hash, or an item of a set.

        Raises:
            UnsupportedValueError: Perl has strings as keys, and writes ints as such.
        """
        if isinstance(key, bool) or not isinstance(key, int | str):
            raise UnsupportedValueError(f"{key!r} as a key; Perl's keys are strings")
        return self.literal(key, ANY)

    def signature(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"${parameter.name}" for parameter in typed.parameters)
        return f"sub {typed.function}\n{{\n  my ({parameters}) = @_;\n"

    def prompt(self, typed: TypedProblem) -> str:
        return f"use utf8;\n\n{self.doc_comment(typed)}{self.signature(typed)}"

    def test(self, typed: TypedProblem) -> str:
        cases = []
        for index, case in enumerate(typed.cases):
            call = f"scalar({self.call(typed, case)})"
            cases.append(
                f"unless (mbxp__same({call}, {self.tagged(case.expected)}, "
                f"{tolerance(case)!r})) {{\n"
                f'    die "Exception -- test case {index} did not pass.";\n}}\n'
            )
        return _SAME + "".join(cases)

    def tagged(self, value: Value) -> str:
        """An expected value with its type, which Perl itself does not know."""
        match value:
            case None:
                return "['none']"
            case bool():
                return f"['bool', {int(value)}]"
            case int() | float():
                kind = "int" if isinstance(value, int) else "float"
                return f"['{kind}', {self.literal(value, ANY)}]"
            case str():
                return f"['text', {self.string(value)}]"
            case SetValue(items=items):
                pairs = [f"{self.key(item)}, ['int', 1]" for item in items]
            case dict():
                pairs = [f"{self.key(key)}, {self.tagged(item)}" for key, item in value.items()]
            case _:
                return f"[{', '.join([_LIST, *map(self.tagged, children(value))])}]"
        return f"[{', '.join([_DICT, *pairs])}]"

    @property
    def stub(self) -> str:
        return '  die "not written";\n}\n'


class PerlRelease(FamilyA, Perl):
    """As the release has it: None is a text, False is 0 and strings interpolate."""

    expert = True
    none_in_prose = '"none"'
    words = {"None": '"none"', "True": "1", "False": "0"}
    replaced_functions = {"last": "get_last"}
    replaced_parameters = {}

    def rename(self, name: str) -> str:
        return names.snake(name)

    def key(self, key: Value) -> str:
        return self.literal(key, ANY)

    def prompt(self, typed: TypedProblem) -> str:
        return f"\n{self.doc_comment(typed)}{self.signature(typed)}"

    def test(self, typed: TypedProblem) -> str:
        return "\n\nuse Data::Compare;\n\n" + "".join(
            f"{self.release_case(typed, i, case)}unless(Compare($x{i}, $v{i})) {{\n"
            f'    die "Exception -- test case {i} did not pass.";\n}}\n'
            for i, case in enumerate(typed.cases)
        )


STRICT = Perl()
RELEASE = PerlRelease()
