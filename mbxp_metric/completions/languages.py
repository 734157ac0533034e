"""What the end of a function looks like in each language: one entry a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_BRACE = r"\}"


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
    end: str = _BRACE
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
    only_used_imports: bool = False
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
        fences=("py", "python3"),
    ),
    "java": Syntax(
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
        fences=("cs", "c#", "c-sharp"),
    ),
    "php": Syntax(
        functions=_kinds("function_definition method_declaration"),
        helpers=_kinds("function_definition class_declaration const_declaration"),
        imports=_kinds("namespace_use_declaration"),
        opening="<?php\n",
        first_line="<?php",
    ),
    "ruby": Syntax(
        functions=_kinds("method singleton_method"),
        helpers=_kinds("method singleton_method class module assignment"),
        import_text="require",
        end=r"\bend\b",
        closing="\nend",
        fences=("rb",),
    ),
    "kotlin": Syntax(
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
        fences=("pl",),
    ),
    "scala": Syntax(
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
        functions=_kinds("function_declaration"),
        helpers=_kinds(
            "function_declaration class_declaration property_declaration protocol_declaration "
            "typealias_declaration"
        ),
        imports=_kinds("import_declaration"),
        containers=_kinds("class_body"),
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
