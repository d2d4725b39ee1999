"""Rewrites files so that each change can be switched on while the program runs.

The number of the change is in the environment as NOROSHI_MUTANT. A comparison becomes an operator of
its own with the same precedence, a number a function, a text of SQL a choice between two texts; the
functions stand in one more file of the module.
"""

VARIABLE = "NOROSHI_MUTANT"
FILE = "Mutants.swift"

HEAD = """\
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif
{imports}
private let number = getenv("{variable}").flatMap {{ Int32(String(cString: $0)) }}
"""

# A Date and a length of time are added, and so are two lengths.
INFIX_SIGN = """
infix operator {name}: {precedence}
package func {name} <T: AdditiveArithmetic>(a: T, b: T) -> T {{
    number == {number} ? a {new} b : a {old} b
}}
{dates}"""

DATES = """\
package func {name} (a: Date, b: TimeInterval) -> Date {{
    number == {number} ? a {new} b : a {old} b
}}
"""

ASSIGNMENT = """
infix operator {name}: AssignmentPrecedence
package func {name} <T: AdditiveArithmetic>(a: inout T, b: T) {{
    if number == {number} {{ a {new} b }} else {{ a {old} b }}
}}
"""

PREFIX_SIGN = """
prefix operator {name}
package prefix func {name} <T: SignedNumeric>(a: T) -> T {{ number == {number} ? a : -a }}
"""

CONNECTIVE = """
infix operator {name}: {precedence}
package func {name} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{
    number == {number} ? try a {new} b() : try a {old} b()
}}
"""

COMPARISON = """
infix operator {name}: ComparisonPrecedence
package func {name} <T: {constraint}>(a: T, b: T) -> Bool {{
    number == {number} ? a {new} b : a {old} b
}}
@_disfavoredOverload
package func {name} <A: BinaryInteger, B: BinaryInteger>(a: A, b: B) -> Bool {{
    number == {number} ? a {new} b : a {old} b
}}
@_disfavoredOverload
package func {name} <A: StringProtocol, B: StringProtocol>(a: A, b: B) -> Bool {{
    number == {number} ? a {new} b : a {old} b
}}
package func {name} <A: {constraint}, B: {constraint}>(a: (A, B), b: (A, B)) -> Bool {{
    number == {number} ? a {new} b : a {old} b
}}
package func {name} <A: {constraint}, B: {constraint}, C: {constraint}>(
    a: (A, B, C), b: (A, B, C)
) -> Bool {{
    number == {number} ? a {new} b : a {old} b
}}
"""

NIL = """\
package func {name} <T>(a: T?, b: _OptionalNilComparisonType) -> Bool {{
    number == {number} ? a {new} nil : a {old} nil
}}
"""

NUMBER = """
package func {name}<T: ExpressibleByIntegerLiteral & AdditiveArithmetic>(_ value: T) -> T {{
    number == {number} ? value + 1 : value
}}
"""

SQL = """
package func {name}() -> Bool {{ number == {number} }}
"""


def operator(number):
    """A name of an operator that no other change has."""
    return "∷" + chr(0x2200 + number // 256) + chr(0x2200 + number % 256)


def declaration(site, has_foundation):
    values = {"number": site.number, "old": site.old, "new": site.new, "dates": ""}
    if site.form in ("number", "sql"):
        values["name"] = f"mutant{site.number}"
        return (NUMBER if site.form == "number" else SQL).format(**values)
    values["name"] = operator(site.number)
    if site.form == "prefix":
        return PREFIX_SIGN.format(**values)
    if site.kind == "connective":
        values["precedence"] = (
            "LogicalConjunctionPrecedence" if site.old == "&&" else "LogicalDisjunctionPrecedence"
        )
        return CONNECTIVE.format(**values)
    if site.kind == "sign":
        if site.old.endswith("="):
            return ASSIGNMENT.format(**values)
        values["precedence"] = "AdditionPrecedence"
        if has_foundation:
            values["dates"] = DATES.format(**values)
        return INFIX_SIGN.format(**values)
    is_equality = site.old in ("==", "!=")
    values["constraint"] = "Equatable" if is_equality else "Comparable"
    text = COMPARISON.format(**values)
    return text + NIL.format(**values) if is_equality else text


def module_file(sites, has_foundation):
    """The further file of a module."""
    head = HEAD.format(
        variable=VARIABLE, imports="import Foundation\n" if has_foundation else ""
    )
    return head + "".join(declaration(site, has_foundation) for site in sites)


def rewrite(text, sites):
    """The file with all of its sites switched, and which lines of it belong to which site."""
    edits = []
    texts = {}
    for site in sites:
        if site.form == "sql":
            texts.setdefault(site.literal, []).append(site)
        elif site.form == "number":
            edits.append((site.start, site.end, f"mutant{site.number}({site.old})", [site]))
        else:
            edits.append((site.start, site.end, operator(site.number), [site]))
    for literal, changes in texts.items():
        original = text[literal.start : literal.end]
        choice = original
        for site in changes:
            start, end = site.start - literal.start, site.end - literal.start
            changed = original[:start] + site.new + original[end:]
            choice = f"(mutant{site.number}() ? {changed} : {choice})"
        edits.append((literal.start, literal.end, choice, changes))
    result = []
    lines = []
    position = 0
    line = 1
    for start, end, new, owners in sorted(edits, key=lambda edit: edit[0]):
        result.append(text[position:start])
        line += text.count("\n", position, start)
        last = line + new.count("\n")
        lines += [(line, last, owner) for owner in owners]
        result.append(new)
        line = last
        position = end
    result.append(text[position:])
    return "".join(result), lines
