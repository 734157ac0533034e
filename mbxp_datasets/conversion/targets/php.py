"""PHP: a function after `<?php`; a list is an array with the keys 0, 1, 2, …, a set is a list."""

from __future__ import annotations

import re

from mbxp_datasets.conversion import names
from mbxp_datasets.conversion.family_a import FamilyA
from mbxp_datasets.conversion.problem import TypedProblem
from mbxp_datasets.conversion.targets.base import RELATIVE_TOLERANCE, tolerance
from mbxp_datasets.conversion.targets.script import Script
from mbxp_datasets.conversion.types import ANY, INT64, Type
from mbxp_datasets.conversion.values import SetValue, UnsupportedValueError, Value, children

_KEYWORDS = """abstract and array as break callable case catch class clone const continue declare
default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit
die extends final finally fn for foreach function global goto if implements include include_once
instanceof insteadof interface isset list match namespace new or print private protected public
readonly require require_once return static switch throw trait try unset use var while xor yield
self parent true false null"""
# PHP has no way to define a function of the name of one of its own; names in any case collide.
_BUILT_IN = """abs acos acosh addcslashes addslashes arsort asin asinh asort assert atan atan2 atanh
basename bin2hex bindec bindtextdomain boolval ceil chdir checkdate checkdnsrr chgrp chmod chop
chown chr chroot clearstatcache closedir closelog compact constant copy cos cosh count crc32 crypt
current date dcgettext dcngettext decbin dechex decoct define defined deg2rad delete dgettext dir
dirname diskfreespace dl dngettext doubleval each end escapeshellarg escapeshellcmd exec exp explode
expm1 extract fclose fdatasync fdiv feof fflush fgetc fgetcsv fgets file fileatime filectime
filegroup fileinode filemtime fileowner fileperms filesize filetype floatval flock floor flush fmod
fnmatch fopen fpassthru fprintf fputcsv fputs fread frenchtojd fscanf fseek fsockopen fstat fsync
ftell ftok ftruncate fwrite gcd getcwd getdate getenv gethostbyaddr gethostbyname gethostbynamel
gethostname getimagesize getimagesizefromstring getlastmod getmxrr getmygid getmyinode getmypid
getmyuid getopt getprotobyname getprotobynumber getrandmax getrusage getservbyname getservbyport
gettext gettimeofday gettype glob gmdate gmmktime gmstrftime gregoriantojd gzclose gzcompress
gzdecode gzdeflate gzencode gzeof gzfile gzgetc gzgets gzinflate gzopen gzpassthru gzputs gzread
gzrewind gzseek gztell gzuncompress gzwrite hash header hebrev hex2bin hexdec hrtime htmlentities
htmlspecialchars hypot iconv idate implode index intdiv intval ip2long iptcembed iptcparse
jddayofweek jdmonthname jdtofrench jdtogregorian jdtojewish jdtojulian jdtounix jewishtojd join
juliantojd key krsort ksort lcfirst lchgrp lchown levenshtein link linkinfo localeconv localtime log
log10 log1p long2ip lstat ltrim mail max md5 metaphone mhash microtime min mkdir mktime natcasesort
natsort next ngettext nl2br octdec opendir openlog ord pack passthru pathinfo pclose pfsockopen
phpcredits phpinfo phpversion pi popen pos pow prev printf putenv quotemeta rad2deg rand range
rawurldecode rawurlencode readdir readfile readgzfile readline readlink realpath rename reset rewind
rewinddir rmdir round rsort rtrim scandir serialize setcookie setlocale setrawcookie settype sha1
shuffle sin sinh sizeof sleep sort soundex split sprintf sqrt srand sscanf stat strcasecmp strchr
strcmp strcoll strcspn strftime stripcslashes stripos stripslashes stristr strlen strnatcasecmp
strnatcmp strncasecmp strncmp strpbrk strpos strptime strrchr strrev strripos strrpos strspn strstr
strtok strtolower strtotime strtoupper strtr strval substr sum symlink syslog system tan tanh
tempnam textdomain time tmpfile touch trim uasort ucfirst ucwords uksort umask uniqid unixtojd
unlink unpack unserialize urldecode urlencode usleep usort vfprintf vprintf vsprintf wordwrap"""

_SAME = f"""

function mbxp__same($actual, $expected, $tolerance) {{
    if (is_float($expected)) {{
        if (!is_int($actual) && !is_float($actual)) {{
            return false;
        }}
        if (is_nan($expected)) {{
            return is_nan((float) $actual);
        }}
        return $actual == $expected || (is_finite($expected) && is_finite((float) $actual)
            && abs($actual - $expected) <= max($tolerance, {RELATIVE_TOLERANCE} * abs($expected)));
    }}
    if (is_int($expected)) {{
        return $actual === $expected || (is_float($actual) && $actual == $expected);
    }}
    if (!is_array($expected)) {{
        return $actual === $expected;
    }}
    if (!is_array($actual) || count($actual) !== count($expected)) {{
        return false;
    }}
    foreach ($expected as $key => $item) {{
        if (!array_key_exists($key, $actual) || !mbxp__same($actual[$key], $item, $tolerance)) {{
            return false;
        }}
    }}
    return true;
}}

function mbxp__sameSet($actual, $expected, $tolerance) {{
    if (!is_array($actual) || count($actual) !== count($expected)) {{
        return false;
    }}
    foreach ($expected as $item) {{
        $found = null;
        foreach ($actual as $key => $one) {{
            if (mbxp__same($one, $item, $tolerance)) {{
                $found = $key;
                break;
            }}
        }}
        if ($found === null) {{
            return false;
        }}
        unset($actual[$found]);
    }}
    return true;
}}

"""

_RELEASE_COMPARE = """

function compare($x, $y) {
    return $x == $y;
}

"""


class Php(Script):
    language = "php"
    title = "PHP"
    comment = ("/**", " * ", " */")
    prompt_marks = ("php > ", "")
    words = {"None": "null", "True": "true", "False": "false"}
    reserved = frozenset(f"{_KEYWORDS} {_BUILT_IN}".split())
    sigil = "$"
    infinities = ("INF", "-INF", "NAN")
    escapes = {
        '"': '\\"',
        "\\": "\\\\",
        "$": "\\$",
        "\n": "\\n",
        "\t": "\\t",
        "\r": "\\r",
    }

    def function_name(self, entry_point: str) -> str:
        # Functions are found whatever the case of their letters.
        name = names.camel(entry_point)
        return (
            name + "_" if name.lower() in self.reserved else names.distinct([name], frozenset())[0]
        )

    def parameter_names(self, parameters: tuple[str, ...]) -> list[str]:
        return names.distinct([names.camel(name) for name in parameters], frozenset({"this"}))

    def integer(self, value: int, found: Type) -> str:
        if value not in INT64:
            raise UnsupportedValueError(f"{value} does not fit PHP's integers")
        return "PHP_INT_MIN" if value == INT64[0] else str(value)

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"[{self.literals(items, ANY)}]"

    def dict_literal(self, items: dict[Value, Value], found: Type) -> str:
        pairs = (f"{self.key(k)} => {self.literal(v, ANY)}" for k, v in items.items())
        return f"[{', '.join(pairs)}]"

    def key(self, key: Value) -> str:
        """A key of an array.

        Raises:
            UnsupportedValueError: PHP's keys are ints and strings, and "1" would become 1.
        """
        decimal = isinstance(key, str) and re.fullmatch(r"0|-?[1-9][0-9]{0,18}", key)
        number = decimal and int(key) in INT64
        if isinstance(key, bool) or not isinstance(key, int | str) or number:
            raise UnsupportedValueError(f"{key!r} as a key, which PHP does not keep as it is")
        return self.literal(key, ANY)

    def prompt(self, typed: TypedProblem) -> str:
        parameters = ", ".join(f"${parameter.name}" for parameter in typed.parameters)
        return f"<?php\n\n{self.doc_comment(typed)}function {typed.function}({parameters}){{\n"

    def test(self, typed: TypedProblem) -> str:
        cases = []
        for index, case in enumerate(typed.cases):
            if any(_holds_set(child) for child in children(case.expected)):
                raise UnsupportedValueError("a set inside a result; PHP has no sets")
            same = "mbxp__sameSet" if isinstance(case.expected, SetValue) else "mbxp__same"
            expected = self.literal(case.expected, ANY)
            cases.append(
                f"if (!{same}({self.call(typed, case)}, {expected}, {tolerance(case)!r})) {{\n"
                f'    throw new Exception("Error at {index + 1}th assert statement.");\n}}\n'
            )
        return _SAME + "".join(cases)

    @property
    def stub(self) -> str:
        return '    throw new Exception("not written");\n}\n'


class PhpRelease(FamilyA, Php):
    """As the release has it: parameters squeezed to lower case, a `Set` that PHP lacks."""

    expert = True
    replaced_functions = {"strlen": "string_length", "compare": "do_compare"}

    def rename_parameter(self, name: str) -> str:
        return names.squeezed(name)

    def key(self, key: Value) -> str:
        return self.literal(key, ANY)

    def set_literal(self, items: tuple[Value, ...], found: Type) -> str:
        return f"Set([{','.join(self.literal(item, ANY) for item in items)}])"

    def test(self, typed: TypedProblem) -> str:
        return _RELEASE_COMPARE + "".join(
            f"{self.release_case(typed, i, case)}if (!compare($x{i}, $v{i})) {{\n"
            f'    throw new Exception("Error at {i + 1}th assert statement.");\n}}\n'
            for i, case in enumerate(typed.cases)
        )


def _holds_set(value: Value) -> bool:
    return isinstance(value, SetValue) or any(map(_holds_set, children(value)))


STRICT = Php()
RELEASE = PhpRelease()
