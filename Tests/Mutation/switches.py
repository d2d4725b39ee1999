"""Rewrites files so that each change can be switched on while the program runs.

The number of the change is in the environment as NOROSHI_MUTANT. A comparison becomes an operator of
its own with the same precedence, a number a function, a text of SQL a choice between two texts; the
functions stand in one more file of the module.

NOROSHI_MUTANT_MARKS names a file with a byte for every change. It is set to one where the program comes
by and the change would make a difference there: a comparison that would say otherwise, a sum with another
result. It is mapped, so that a process that is killed has marked what it reached.
"""

VARIABLE = "NOROSHI_MUTANT"
MARKS = "NOROSHI_MUTANT_MARKS"
FILE = "Mutants.swift"

HEAD = """\
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif
{imports}
private let number = getenv("{variable}").flatMap {{ Int32(String(cString: $0)) }}

private nonisolated(unsafe) let marks: UnsafeMutablePointer<UInt8>? = getenv("{marks}").map {{
    let file = open($0, O_RDWR)
    let length = Int(lseek(file, 0, SEEK_END))
    let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return address!.assumingMemoryBound(to: UInt8.self)
}}

private func isOn(_ mutant: Int32, _ differs: @autoclosure () -> Bool = true) -> Bool {{
    if let marks, marks[Int(mutant)] == 0, differs() {{ marks[Int(mutant)] = 1 }}
    return number == mutant
}}
"""

# A Date and a length of time are added, and so are two lengths.
INFIX_SIGN = """
infix operator {name}: {precedence}
package func {name} <T: AdditiveArithmetic>(a: T, b: T) -> T {{
    isOn({number}, b != .zero) ? a {new} b : a {old} b
}}
{dates}"""

DATES = """\
package func {name} (a: Date, b: TimeInterval) -> Date {{
    isOn({number}, b != 0) ? a {new} b : a {old} b
}}
"""

ASSIGNMENT = """
infix operator {name}: AssignmentPrecedence
package func {name} <T: AdditiveArithmetic>(a: inout T, b: T) {{
    if isOn({number}, b != .zero) {{ a {new} b }} else {{ a {old} b }}
}}
"""

PREFIX_SIGN = """
prefix operator {name}
package prefix func {name} <T: SignedNumeric>(a: T) -> T {{
    isOn({number}, a != .zero) ? a : -a
}}
"""

# Both ask for the right side in one case each; where only the change does, it may say otherwise.
CONNECTIVE = """
infix operator {name}: {precedence}
package func {name} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{
    if a == {short} {{ return isOn({number}) ? try b() : a }}
    if isOn({number}, false) {{ return a }}
    let result = try b()
    _ = isOn({number}, result != a)
    return result
}}
"""

COMPARISON = """
infix operator {name}: ComparisonPrecedence
package func {name} <T: {constraint}>(a: T, b: T) -> Bool {{
    isOn({number}, (a {new} b) != (a {old} b)) ? a {new} b : a {old} b
}}
@_disfavoredOverload
package func {name} <A: BinaryInteger, B: BinaryInteger>(a: A, b: B) -> Bool {{
    isOn({number}, (a {new} b) != (a {old} b)) ? a {new} b : a {old} b
}}
@_disfavoredOverload
package func {name} <A: StringProtocol, B: StringProtocol>(a: A, b: B) -> Bool {{
    isOn({number}, (a {new} b) != (a {old} b)) ? a {new} b : a {old} b
}}
package func {name} <A: {constraint}, B: {constraint}>(a: (A, B), b: (A, B)) -> Bool {{
    isOn({number}, (a {new} b) != (a {old} b)) ? a {new} b : a {old} b
}}
package func {name} <A: {constraint}, B: {constraint}, C: {constraint}>(
    a: (A, B, C), b: (A, B, C)
) -> Bool {{
    isOn({number}, (a {new} b) != (a {old} b)) ? a {new} b : a {old} b
}}
"""

NIL = """\
package func {name} <T>(a: T?, b: _OptionalNilComparisonType) -> Bool {{
    isOn({number}) ? a {new} nil : a {old} nil
}}
"""

NUMBER = """
package func {name}<T: ExpressibleByIntegerLiteral & AdditiveArithmetic>(_ value: T) -> T {{
    isOn({number}) ? value + 1 : value
}}
"""

SQL = """
package func {name}() -> Bool {{ isOn({number}) }}
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
        values["short"] = "false" if site.old == "&&" else "true"
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
        variable=VARIABLE,
        marks=MARKS,
        imports="import Foundation\n" if has_foundation else "",
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
