"""JSON as a tree that can be bent: written by ourselves, so that it may be wrong JSON too."""

import json

from . import extremes


class Raw:
    """A value that is written as it is, whether it is JSON or not."""

    def __init__(self, text):
        self.text = text


class Pairs:
    """An object whose members may have the same key several times."""

    def __init__(self, members):
        self.members = members


def write(tree):
    """The text of a tree. Arrays and objects nest to any depth, so it works without recursion."""
    parts, stack = [], [(tree, None)]
    while stack:
        value, literal = stack.pop()
        if literal is not None:
            parts.append(literal)
        elif isinstance(value, Raw):
            parts.append(value.text)
        elif isinstance(value, (dict, Pairs)):
            members = list(value.items()) if isinstance(value, dict) else value.members
            parts.append("{")
            following = [(None, "}")]
            for index in range(len(members) - 1, -1, -1):
                key, inner = members[index]
                following.append((inner, None))
                name = key.text if isinstance(key, Raw) else json.dumps(key, ensure_ascii=False)
                following.append((None, ("," if index else "") + name + ":"))
            stack.extend(following)
        elif isinstance(value, (list, tuple)):
            parts.append("[")
            following = [(None, "]")]
            for index in range(len(value) - 1, -1, -1):
                following.append((value[index], None))
                if index:
                    following.append((None, ","))
            stack.extend(following)
        else:
            parts.append(json.dumps(value, ensure_ascii=False))
    return "".join(parts)


def encode(tree):
    return write(tree).encode("utf-8", "surrogatepass")


def copy(tree):
    if isinstance(tree, dict):
        return {key: copy(value) for key, value in tree.items()}
    if isinstance(tree, Pairs):
        return Pairs([(key, copy(value)) for key, value in tree.members])
    if isinstance(tree, list):
        return [copy(value) for value in tree]
    return tree


def places(tree, path=()):
    """The paths of all values below the root, as (container, key) pairs with their path."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield tree, key, path + (key,)
            yield from places(value, path + (key,))
    elif isinstance(tree, Pairs):
        for index, (key, value) in enumerate(tree.members):
            yield tree.members, index, path + (key,)
            yield from places(value, path + (key,))
    elif isinstance(tree, list):
        for index, value in enumerate(tree[:200]):
            yield tree, index, path + (index,)
            yield from places(value, path + (index,))


def is_time(value):
    return isinstance(value, str) and value[4:5] == "-" and value[:4].isdigit()


def is_quantity(value):
    """Whether a value says how much or when."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number or is_time(value)


def extreme(random, like=None):
    """A value from the extremes, mostly of the same type as the one it replaces."""
    if like is not None and random.random() < 0.8:
        if isinstance(like, bool):
            return random.choice([True, False, None, 0, "true"])
        if isinstance(like, (int, float)):
            return Raw(extremes.number_text(random))
        if isinstance(like, str):
            if is_time(like) and random.random() < 0.8:
                return extremes.time(random)
            return text(random)
    if random.random() < 0.06:
        # These make a whole request one that cannot be read, so they are few.
        return Raw(
            random.choice(
                [
                    "[" * 10_000 + "]" * 10_000,
                    '{"a":' * 10_000 + "1" + "}" * 10_000,
                    "[" * 10_000,
                    "[" + ",".join(["1"] * 100_000) + "]",
                ]
            )
        )
    return random.choice(
        [
            lambda: Raw(extremes.number_text(random)),
            lambda: Raw(extremes.number_text(random)),
            lambda: text(random),
            lambda: random.choice(extremes.TIMES),
            lambda: None,
            lambda: True,
            lambda: [],
            lambda: {},
            lambda: [None],
            lambda: {"": None},
            lambda: [[[[]]]],
            lambda: {"a": {"b": {"c": 1}}},
            lambda: [1, "a", None, True, {}, []],
            lambda: {"inc": Raw(extremes.number_text(random))},
            lambda: {"add": [text(random)]},
            lambda: {"remove": [text(random)]},
            lambda: {"$add": [{"a": text(random)}]},
            lambda: {"$time": random.choice(extremes.TIMES)},
        ]
    )()


def text(random):
    if random.random() < 0.15:
        return Raw(random.choice(extremes.ESCAPED_TEXTS))
    return extremes.text(random)


def key(random):
    return random.choice(
        [
            "",
            "\x00",
            "a\x00",
            "a" * 256,
            "x" * 65_536,
            "$a",
            "a.b",
            "a[]",
            "__proto__",
            "é",
            "e\u0301",
            "\ufffd",
            Raw('"\\ud800"'),
            Raw('"\\u0000"'),
            Raw("a"),
            "null",
            "0",
            "-1",
            "👍🏽",
            "\u202e",
            "_merge_objects",
            "external_id",
            "braze_id",
            "email",
            "time",
            "{{",
            "%00",
            " ",
        ]
    )


def names_something(key):
    """Whether a member names something that is stored: with another value all is refused."""
    return isinstance(key, str) and key.endswith("_id") and key != "external_id"


def mutate(random, tree):
    """Changes one value of the tree in place; returns the new tree."""
    found = list(places(tree))
    if random.random() < 0.85:
        found = [place for place in found if not names_something(place[2][-1])] or found
    if random.random() < 0.35:
        found = [place for place in found if is_quantity(place[0][place[1]])] or found
    if not found or random.random() < 0.02:
        return extreme(random)
    container, where, path = random.choice(found)
    pair = container[where] if isinstance(container, list) else None
    is_pair = isinstance(pair, tuple)
    value = pair[1] if is_pair else container[where]

    def put(new):
        container[where] = (pair[0], new) if is_pair else new

    chance = random.random()
    if chance < 0.62:
        put(extreme(random, like=value))
    elif chance < 0.70:
        del container[where]
    elif chance < 0.74 and isinstance(container, dict):
        container[write(where) if isinstance(where, Raw) else where] = (
            Pairs([("a", 1), ("a", value)]) if random.random() < 0.2 else value
        )
        twice = Pairs(list(container.items()) + [(where, extreme(random, like=value))])
        tree = replace(tree, container, twice)
    elif chance < 0.80 and isinstance(container, dict):
        new = key(random)
        if isinstance(new, Raw):
            tree = replace(tree, container, Pairs(list(container.items()) + [(new, value)]))
        else:
            container[new] = value
    elif chance < 0.85:
        nested = write(value)
        depth = random.choice([1, 1, 2, 2, 10, 60, 63, 64, 65, 1_000, 10_000])
        put(Raw("[" * depth + nested + "]" * depth))
    elif chance < 0.90:
        repeated = write(value)
        count = random.choice([0, 2, 2, 2, 50, 51, 75, 76, 500, 501, 10_000, 100_000])
        if len(repeated) * count < 3_000_000:
            put(Raw("[" + ",".join([repeated] * count) + "]"))
    elif chance < 0.95:
        other, there, _ = random.choice(found)
        source = other[there]
        put(copy(source[1] if isinstance(source, tuple) else source))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        put(random.choice([value + 1, value - 1, -value, Raw(str(value) + "e300"), str(value)]))
    elif isinstance(value, str):
        put(bend(random, value))
    else:
        put(extreme(random))
    return tree


def bend(random, text):
    """A text that differs a little from another one."""
    place = random.randrange(len(text) + 1)
    bent = random.choice(
        [
            text[:place] + random.choice(extremes.TEXTS[:60]) + text[place:],
            text[:place],
            text[place:],
            text.upper(),
            text[::-1],
            text * 2,
            text + "\x00",
            " " + text,
            text + " ",
            text[:place] + "\x00" + text[place:],
            text + "\u0301",
            text[:1] * 300,
        ]
    )
    # A part of a name like a canary's may be the canary's.
    return bent if "canar" not in bent.lower() else text


def replace(tree, old, new):
    """The tree with one container exchanged."""
    if tree is old:
        return new
    if isinstance(tree, dict):
        return {key: replace(value, old, new) for key, value in tree.items()}
    if isinstance(tree, list):
        return [replace(value, old, new) for value in tree]
    if isinstance(tree, Pairs):
        return Pairs([(key, replace(value, old, new)) for key, value in tree.members])
    return tree


def mutate_bytes(random, data):
    """Changes some bytes, without knowing what they mean."""
    if b"canar" in data.lower():
        return data
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 1, 2, 3, 8])):
        place = random.randrange(len(data) + 1)
        kind = random.randrange(8)
        if kind == 0 and data:
            data[place % len(data)] ^= 1 << random.randrange(8)
        elif kind == 1 and data:
            data[place % len(data)] = random.choice(
                [0, 1, 0x7F, 0x80, 0xC0, 0xED, 0xFE, 0xFF, 0x22]
            )
        elif kind == 2:
            data[place:place] = bytes(random.randrange(256) for _ in range(random.randrange(1, 9)))
        elif kind == 3:
            del data[place : place + random.choice([1, 2, 4, 16, 200])]
        elif kind == 4:
            end = place + random.choice([1, 4, 16, 200])
            data[place:place] = data[place:end] * random.choice([1, 2, 50])
        elif kind == 5:
            data[place:place] = random.choice(
                [
                    b"\xff\xfe",
                    b"\xed\xa0\x80",
                    b"\xc0\x80",
                    b"\xf4\x90\x80\x80",
                    b"\x00",
                    b"\xef\xbb\xbf",
                    b"\xe2\x80\xae",
                    b"\xcc\x81" * 100,
                    b"[" * 10_000,
                    b'{"a":' * 5_000,
                    b'"' + b"x" * 65_536,
                ]
            )
        elif kind == 6:
            data[place:place] = extremes.number_text(random).encode()
        else:
            data = data[:place]
    return bytes(data)


def smaller(tree):
    """Trees that say less: without a member or an element, or with a plainer value."""
    found = list(places(tree))
    # Large parts first: what can go at once need not go piece by piece.
    for position in range(len(found)):
        fewer = copy(tree)
        spots = list(places(fewer))
        if position < len(spots):
            container, where, _ = spots[position]
            del container[where]
            yield fewer
    for position in range(len(found)):
        plain = copy(tree)
        spots = list(places(plain))
        container, where, _ = spots[position]
        pair = container[where]
        value = pair[1] if isinstance(pair, tuple) else pair
        if isinstance(value, str) and len(value) > 1:
            for shorter in (value[:1], value[: len(value) // 2]):
                container[where] = (pair[0], shorter) if isinstance(pair, tuple) else shorter
                yield copy(plain)
        elif isinstance(value, Raw) and len(value.text) > 60:
            half = Raw(value.text[: len(value.text) // 2])
            container[where] = (pair[0], half) if isinstance(pair, tuple) else half
            yield plain
