"""Where a small change can be made: comparisons, signs, whole numbers, ands and ors.

A file is read far enough to tell code from comments and texts. Texts that are SQL are code too: their
comparisons and constants are rules like any other.
"""

import bisect
import dataclasses
import random
import re

KINDS = ("comparison", "sign", "constant", "connective")

OPPOSITE = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "+=": "-=",
    "-=": "+=",
    "&&": "||",
    "||": "&&",
}


@dataclasses.dataclass(frozen=True)
class Literal:
    """A text in the source, its quotation marks included."""

    start: int
    end: int
    # The parts that are not text but code.
    interpolations: tuple


@dataclasses.dataclass
class Site:
    """One change. `start` and `end` are offsets in the file."""

    module: str
    path: str
    line: int
    start: int
    end: int
    kind: str
    old: str
    new: str
    # How the change is made: an infix or prefix operator, a number, or a whole text of SQL.
    form: str
    literal: Literal | None = None
    number: int = 0
    # What it is in whatever state the rest of the project is.
    key: str = ""

    def __str__(self):
        return f"{self.path}:{self.line}  {self.old} → {self.new}"


def read(text):
    """The text with everything that is not code blanked, and the literals in it.

    What stands in an interpolation is blanked as well.
    """
    blank = list(text)
    literals = []
    position = 0

    def hide(start, end):
        for index in range(start, end):
            if blank[index] != "\n":
                blank[index] = " "

    while position < len(text):
        if text.startswith("//", position):
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            hide(position, end)
        elif text.startswith("/*", position):
            end = text.find("*/", position) + 2
            hide(position, end)
        elif text[position] in '"#' and (opening := re.compile(r'#*"').match(text, position)):
            literal = read_literal(text, position, opening.group().count("#"))
            literals.append(literal)
            end = literal.end
            hide(position, end)
        else:
            end = position + 1
        position = end
    return "".join(blank), literals


def read_literal(text, start, hashes):
    mark = '"""' if text.startswith('"""', start + hashes) else '"'
    closing = mark + "#" * hashes
    escape = "\\" + "#" * hashes
    position = start + hashes + len(mark)
    interpolations = []
    while not text.startswith(closing, position):
        if text.startswith(escape + "(", position):
            end = end_of_parentheses(text, position + len(escape))
            interpolations.append((position, end))
            position = end
        elif text.startswith(escape, position):
            position += len(escape) + 1
        else:
            position += 1
    return Literal(start, position + len(closing), tuple(interpolations))


def end_of_parentheses(text, start):
    depth = 0
    position = start
    while True:
        if text[position] == '"':
            position = read_literal(text, position, 0).end
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
        if depth == 0:
            return position


INFIX = re.compile(r"(?<=\s)(<=|>=|==|!=|<|>|\+=|-=|\+|-|&&|\|\|)(?=\s)")
PREFIX_MINUS = re.compile(r"(?<=[\s(\[,])-(?=[\w(])")
# Not a part of a name, of a decimal, of a hexadecimal number, nor a member of a tuple.
WHOLE_NUMBER = re.compile(r"(?<![\w$])(?<![\w)\]?!\\]\.)\d[\d_]*(?!\w|\.\d)")
# Lines whose operators are names or conditions of the compiler.
NOT_RULES = re.compile(r"^\s*(#|@available|import\b|.*\bfunc [<>=!+&|-])")

SQL = re.compile(r"\b(SELECT|UPDATE|INSERT|DELETE|WHERE|AND|OR|FROM|JOIN|HAVING|VALUES)\b")
SQL_WORD = re.compile(
    r"""'[^']*' | \?\d* | :\w+ | ->>? | \|\| | <= | >= | != | <> | [<>=+*/(),-] | \w+""",
    re.VERBOSE,
)


def kind_of(operator):
    if operator in ("&&", "||"):
        return "connective"
    return "sign" if operator in ("+", "-", "+=", "-=") else "comparison"


def following(number):
    return str(int(number.replace("_", "")) + 1)


def sites(module, path, text, reads_sql):
    """Every site of a file, in its order."""
    code, literals = read(text)
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    lines = code.split("\n")
    found = []

    def add(start, end, kind, new, form, literal=None):
        line = bisect.bisect_right(starts, start)
        if form != "sql" and NOT_RULES.match(lines[line - 1]):
            return
        old = text[start:end]
        found.append(Site(module, path, line, start, end, kind, old, new, form, literal))

    for match in INFIX.finditer(code):
        operator = match.group()
        add(*match.span(), kind_of(operator), OPPOSITE[operator], "infix")
    for match in PREFIX_MINUS.finditer(code):
        add(*match.span(), "sign", "+", "prefix")
    for match in WHOLE_NUMBER.finditer(code):
        add(*match.span(), "constant", following(match.group()), "number")
    if reads_sql:
        for literal in literals:
            if SQL.search(text[literal.start : literal.end]):
                for start, end, kind, new in changes_of_sql(text, literal):
                    add(start, end, kind, new, "sql", literal)
    return sorted(found, key=lambda site: site.start)


def changes_of_sql(text, literal):
    """The changes that can be made to a text of SQL: offsets, kind and what stands there then."""
    sql = list(text[literal.start : literal.end])
    for start, end in literal.interpolations:
        for index in range(start - literal.start, end - literal.start):
            sql[index] = " "
    words = list(SQL_WORD.finditer("".join(sql)))
    changes = []
    is_assigning = False
    is_between = False
    for index, match in enumerate(words):
        word = match.group()
        before = words[index - 1].group() if index > 0 else ""
        after = words[index + 1].group() if index + 1 < len(words) else ""
        kind = new = None
        if word == "SET":
            is_assigning = True
        elif word in ("WHERE", "FROM", "RETURNING", "SELECT", "ON"):
            is_assigning = False
        elif word == "BETWEEN":
            is_between = True
        elif word == "AND" and is_between:
            is_between = False
        elif word in ("AND", "OR") and after not in ("REPLACE", "IGNORE", "ROLLBACK", "ABORT"):
            kind, new = "connective", "OR" if word == "AND" else "AND"
        elif word in ("<", "<=", ">", ">=", "!="):
            kind, new = "comparison", "=" if word == "!=" else OPPOSITE[word]
        elif word == "=" and not is_assigning:
            kind, new = "comparison", "!="
        elif word == "IS" and after == "NULL":
            kind, new = "comparison", "IS NOT"
        elif word == "NOT" and before == "IS":
            kind, new = "comparison", ""
        elif word in ("+", "-"):
            kind, new = "sign", OPPOSITE[word]
        elif word.isdigit():
            kind, new = "constant", following(word)
        if kind:
            changes.append(
                (literal.start + match.start(), literal.start + match.end(), kind, new)
            )
    return changes


def of_tree(root, modules):
    """Every site of the modules, numbered. Released migrations are left out: they do not change."""
    found = []
    for folder in modules:
        module = folder.rpartition("/")[2]
        for path in sorted((root / "Sources" / folder).rglob("*.swift")):
            if path.parent.name == "Schema" or path.name == "Migrations.swift":
                continue
            name = path.relative_to(root).as_posix()
            found += sites(module, name, path.read_text(), folder.startswith("Stores/"))
    for number, site in enumerate(found, start=1):
        site.number = number
        site.key = f"{site.path}:{site.start}:{site.old}"
    return found


def draw(sites, seed):
    """All sites in a random order: each time a module, then a kind, then a site of them, every one
    with the same chance, so that neither the largest module nor the most frequent kind is all there
    is."""
    chance = random.Random(seed)
    left = {}
    for site in sites:
        left.setdefault(site.module, {}).setdefault(site.kind, []).append(site)
    while left:
        module = chance.choice(sorted(left))
        kind = chance.choice(sorted(left[module]))
        candidates = left[module][kind]
        yield candidates.pop(chance.randrange(len(candidates)))
        if not candidates:
            del left[module][kind]
        if not left[module]:
            del left[module]
