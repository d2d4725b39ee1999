"""HTTP/2 frames and HPACK, written by hand so that they can be wrong."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
(
    DATA,
    HEADERS,
    PRIORITY,
    RST_STREAM,
    SETTINGS,
    PUSH_PROMISE,
    PING,
    GOAWAY,
    WINDOW_UPDATE,
    CONTINUATION,
) = range(10)
END_STREAM, ACK, END_HEADERS, PADDED, PRIORITIZED = 1, 1, 4, 8, 32
BIG = [0, 1, 2**14 - 1, 2**14, 2**14 + 1, 2**24 - 1, 2**31 - 1, 2**31, 2**32 - 1]


def frame(kind, flags=0, stream=0, payload=b"", length=None):
    size = len(payload) if length is None else length
    return (
        struct.pack(">I", size & 0xFFFFFF)[1:]
        + bytes([kind & 255, flags & 255])
        + struct.pack(">I", stream & 0xFFFFFFFF)
        + payload
    )


def settings(pairs=(), flags=0):
    return frame(
        SETTINGS,
        flags,
        0,
        b"".join(struct.pack(">HI", key, value & 0xFFFFFFFF) for key, value in pairs),
    )


def integer(value, prefix, first=0):
    """HPACK's integer, with `first` in the bits before the prefix."""
    most = (1 << prefix) - 1
    if value < most:
        return bytes([first | value])
    out, value = [first | most], value - most
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out + [value])


def string(data, is_huffman=False):
    return integer(len(data), 7, 0x80 if is_huffman else 0) + data


def literal(name, value, first=0x00):
    return bytes([first]) + string(as_bytes(name)) + string(as_bytes(value))


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def block(fields):
    return b"".join(literal(name, value) for name, value in fields)


def request(stream, fields, body):
    """The frames of one whole request."""
    out = [frame(HEADERS, END_HEADERS | (0 if body else END_STREAM), stream, block(fields))]
    pieces = [body[start : start + 16_384] for start in range(0, len(body), 16_384)]
    for index, piece in enumerate(pieces):
        out.append(frame(DATA, END_STREAM if index == len(pieces) - 1 else 0, stream, piece))
    return out


def odd_block(random, fields):
    """A header block that breaks a rule of HPACK."""
    good = block(fields)
    return random.choice(
        [
            lambda: good + b"\x7f" + b"\xff" * 20,
            lambda: b"\x80" + good,
            lambda: good + b"\xff\xff\xff\xff\x0f",
            lambda: integer(2**31, 5, 0x20) + good,
            lambda: good + integer(0, 5, 0x20),
            lambda: integer(0, 5, 0x20) * 5_000 + good,
            lambda: good + integer(62, 7, 0x80),
            lambda: good + b"\x00" + string(b"x" * 3, True) + string(b"\xff" * 30, True),
            lambda: good + b"\x00" + integer(2**40, 7) + b"abc",
            lambda: good[:-1],
            lambda: good + b"\x40",
            lambda: literal("", "x") + good,
            lambda: good + literal("UPPER", "x"),
            lambda: good + literal(":path", "/late"),
            lambda: literal(":status", "200") + good,
            lambda: good + literal("a", "b\r\nc: d"),
            lambda: good + literal("a\x00", "\x00"),
            lambda: good
            + b"".join(literal(f"h{n}", "v" * 100, 0x40) for n in range(200))
            + b"\xbe" * 500,
            lambda: good + literal("big", b"x" * 60_000),
            lambda: b"",
            lambda: good + literal("te", "gzip"),
            lambda: good + literal("connection", "close"),
            lambda: good + literal("content-length", "9" * 30),
            lambda: bytes(random.randrange(256) for _ in range(random.randrange(1, 200))),
        ]
    )()


def odd_frame(random, stream):
    """A frame that breaks a rule, or an unusual one that does not."""
    big = random.choice(BIG)
    stream = random.choice([stream, stream, 0, 1, 2, 3, stream + 2, 2**31 - 1, 2**31])
    return random.choice(
        [
            lambda: settings([(random.choice([1, 2, 3, 4, 5, 6, 8, 0xFFFF]), big)]),
            lambda: settings([(4, big), (5, big), (1, big)]),
            lambda: settings(flags=ACK),
            lambda: frame(SETTINGS, ACK, 0, b"\0" * 6),
            lambda: frame(SETTINGS, 0, stream, b"\0" * 5),
            lambda: settings([(4, 1)]) * 1_000,
            lambda: frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", big & 2**32 - 1)),
            lambda: frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**31 - 1)) * 3,
            lambda: frame(WINDOW_UPDATE, 0, stream, b"\0"),
            lambda: frame(PING, random.choice([0, 1]), 0, b"12345678"),
            lambda: frame(PING, 0, stream, b"123"),
            lambda: frame(PING, 0, 0, b"12345678") * 2_000,
            lambda: frame(RST_STREAM, 0, stream, struct.pack(">I", big & 2**32 - 1)),
            lambda: frame(RST_STREAM, 0, stream, b""),
            lambda: frame(
                GOAWAY,
                0,
                0,
                struct.pack(">II", big & 2**32 - 1, big & 2**32 - 1)
                + b"x" * random.choice([0, 10]),
            ),
            lambda: frame(GOAWAY, 0, stream, b"\0" * 4),
            lambda: frame(PRIORITY, 0, stream, struct.pack(">IB", stream & 2**32 - 1, 255)),
            lambda: frame(PRIORITY, 0, stream, b"\0"),
            lambda: frame(DATA, 0, stream, b"late"),
            lambda: frame(DATA, PADDED, stream, b"\xff" + b"a"),
            lambda: frame(DATA, END_STREAM, stream, b""),
            lambda: frame(HEADERS, END_HEADERS | PADDED, stream, b"\xff\0"),
            lambda: frame(CONTINUATION, 0, stream, b""),
            lambda: frame(HEADERS, END_HEADERS | PRIORITIZED, stream, b"\0\0\0\0"),
            lambda: frame(HEADERS, 0, stream, b"") + frame(CONTINUATION, 0, stream, b"") * 2_000,
            lambda: frame(HEADERS, 0, stream, b"") + frame(PING, 0, 0, b"12345678"),
            lambda: frame(
                PUSH_PROMISE,
                END_HEADERS,
                stream,
                struct.pack(">I", random.choice([2, 3, 0])) + b"\x82",
            ),
            lambda: frame(
                random.randrange(256),
                random.randrange(256),
                stream,
                bytes(random.randrange(256) for _ in range(9)),
            ),
            lambda: frame(
                DATA, 0, stream, b"abc", length=random.choice([2**24 - 1, 2**14 + 1, 2, 0])
            ),
            lambda: frame(HEADERS, END_HEADERS, stream, b"\x88", length=2**24 - 1),
        ]
    )()
