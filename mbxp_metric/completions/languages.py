"""What the end of a function looks like in each language: one entry a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

BRACE = r"\}"


@dataclass(frozen=True)
class Syntax:
    """A language as the shared algorithm sees it; kinds are node types of its grammar."""

    functions: frozenset[str]
    """Kinds that the entry point may have."""
    helpers: frozenset[str]
    """Kinds beside the entry point that it may need."""
    imports: frozenset[str] = frozenset()
    """Kinds that belong at the top of a file."""
    import_text: str = ""
    """How an import starts, where its kind does not tell."""
    containers: frozenset[str] = frozenset()
    """Kinds whose children are members, beside the root of a file."""
    end: str = BRACE
    """Where a function may end, as a regular expression; empty where indentation tells."""
    closing: str = "\n}"
    """What ends a body that lacks nothing else."""
    opening: str = ""
    """A wrapper in which a lone member can be read."""
    wrapper: str = ""
    """What closes the prompt's wrapper."""
    closes_wrapper: bool = False
    """Whether the completion closes it, and not the test."""
    first_line: str = ""
    """How a line starts that must stay before imports."""
    overloads: bool = False
    """Whether functions of one name may differ in their parameters."""
    only_used_imports: bool = False
    """Whether an import that is not used is an error."""
    idle_import: str = ""
    """Imports that no program needs, as a regular expression."""
    surplus: str = ""
    """What a definition in an answer has that the prompt's has not, as a regular expression."""
    static_members: str = ""
    """After what `static` goes in a member of a class, where the prompt's is static."""
    method_call: str = ""
    """Makes a function of a method, where the entry point was put into a class."""
    fences: tuple[str, ...] = ()
    """Names of the language in a fence, beside its own."""

    def __post_init__(self) -> None:
        assert bool(self.end) or not self.closing


def _kinds(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SCRIPT = Syntax(
    functions=_kinds(
        "function_declaration function_expression arrow_function method_definition "
        "generator_function_declaration generator_function"
    ),
    helpers=_kinds(
        "function_declaration generator_function_declaration lexical_declaration "
        "variable_declaration class_declaration export_statement interface_declaration "
        "type_alias_declaration enum_declaration abstract_class_declaration"
    ),
    imports=_kinds("import_statement"),
    surplus=r"\Aexport (?:default )?",
    fences=("js", "node", "jsx", "javascript", "ts", "tsx", "typescript"),
)

SYNTAXES: Mapping[str, Syntax] = {
    "python": Syntax(
        functions=_kinds("function_definition"),
        helpers=_kinds(
            "function_definition decorated_definition class_definition assignment "
            "expression_statement import_statement import_from_statement"
        ),
        imports=_kinds("import_statement import_from_statement future_import_statement"),
        end="",
        closing="",
        method_call=(
            "\n\n\ndef {name}(*args, **kwargs):\n    return {owner}().{name}(*args, **kwargs)"
        ),
        fences=("py", "python3"),
    ),
    "java": Syntax(
        overloads=True,
        functions=_kinds("method_declaration"),
        helpers=_kinds(
            "method_declaration field_declaration class_declaration record_declaration "
            "interface_declaration enum_declaration"
        ),
        imports=_kinds("import_declaration"),
        containers=_kinds("class_body enum_body_declarations"),
        opening="class Wrapper {\n",
        wrapper="\n}",
        closes_wrapper=True,
        static_members=r"\A(?:@\w+\s+)*(?:(?:public|protected|private)\s+)?",
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "go": Syntax(
        functions=_kinds("function_declaration"),
        helpers=_kinds(
            "function_declaration method_declaration type_declaration var_declaration "
            "const_declaration"
        ),
        imports=_kinds("import_declaration"),
        first_line="package ",
        only_used_imports=True,
        fences=("golang",),
    ),
    "csharp": Syntax(
        overloads=True,
        functions=_kinds("method_declaration local_function_statement"),
        helpers=_kinds(
            "method_declaration local_function_statement field_declaration class_declaration "
            "property_declaration record_declaration struct_declaration enum_declaration "
            "interface_declaration global_statement"
        ),
        imports=_kinds("using_directive"),
        containers=_kinds("declaration_list"),
        opening="class Wrapper {\n",
        wrapper="\n}\n}",
        static_members=r"\A(?:(?:public|protected|private|internal)\s+)?(?!class|record|struct|enum)",
        fences=("cs", "c#", "c-sharp"),
    ),
    "php": Syntax(
        functions=_kinds("function_definition method_declaration"),
        helpers=_kinds(
            "function_definition method_declaration class_declaration const_declaration"
        ),
        imports=_kinds("namespace_use_declaration"),
        containers=_kinds("declaration_list"),
        opening="<?php\n",
        surplus=r"\A(?:(?:public|protected|private|static|final)\s+)+",
        first_line="<?php",
    ),
    "ruby": Syntax(
        functions=_kinds("method singleton_method"),
        helpers=_kinds("method singleton_method class module assignment"),
        import_text="require",
        containers=_kinds("body_statement"),
        surplus=r"(?<=\Adef )self\.",
        end=r"\bend\b",
        closing="\nend",
        fences=("rb",),
    ),
    "kotlin": Syntax(
        overloads=True,
        functions=_kinds("function_declaration"),
        helpers=_kinds(
            "function_declaration class_declaration object_declaration property_declaration "
            "type_alias"
        ),
        imports=_kinds("import_list import_header"),
        containers=_kinds("class_body"),
        fences=("kt", "kts"),
    ),
    "cpp": Syntax(
        overloads=True,
        functions=_kinds("function_definition"),
        helpers=_kinds(
            "function_definition template_declaration struct_specifier class_specifier "
            "enum_specifier declaration type_definition alias_declaration preproc_def "
            "preproc_function_def"
        ),
        imports=_kinds("preproc_include using_declaration"),
        containers=_kinds("field_declaration_list"),
        fences=("c++", "cc", "cxx", "c"),
    ),
    "perl": Syntax(
        functions=_kinds("subroutine_declaration_statement"),
        helpers=_kinds("subroutine_declaration_statement expression_statement"),
        imports=_kinds("use_statement"),
        idle_import=r"use\s+(?:strict|warnings|utf8|v?5)\b",
        fences=("pl",),
    ),
    "scala": Syntax(
        overloads=True,
        functions=_kinds("function_definition"),
        helpers=_kinds(
            "function_definition val_definition var_definition class_definition "
            "object_definition trait_definition type_definition"
        ),
        imports=_kinds("import_declaration"),
        containers=_kinds("template_body"),
        wrapper="\n}",
    ),
    "swift": Syntax(
        overloads=True,
        functions=_kinds("function_declaration"),
        helpers=_kinds(
            "function_declaration class_declaration property_declaration protocol_declaration "
            "typealias_declaration"
        ),
        imports=_kinds("import_declaration"),
        containers=_kinds("class_body"),
        surplus=r"\A(?:(?:public|private|internal|fileprivate|static|class|final)\s+)+(?=func)",
    ),
    "rust": Syntax(
        functions=_kinds("function_item"),
        helpers=_kinds(
            "function_item struct_item enum_item impl_item trait_item const_item static_item "
            "type_item macro_definition mod_item attribute_item"
        ),
        imports=_kinds("use_declaration"),
        containers=_kinds("declaration_list"),
        fences=("rs",),
    ),
}
