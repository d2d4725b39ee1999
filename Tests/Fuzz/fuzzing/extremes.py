"""Values that programs trip over, drawn on purpose."""

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)

# Whole numbers, with the neighbours of every border.
INTEGERS = sorted(
    {
        border + step
        for border in (
            0,
            2**7,
            2**8,
            2**15,
            2**16,
            2**31,
            2**32,
            2**40,
            2**53,
            2**62,
            2**63,
            2**64,
            2**127,
        )
        for sign in (1, -1)
        for border in (border * sign,)
        for step in (-2, -1, 0, 1, 2)
    }
    | {
        INT64_MAX // 1000,
        INT64_MAX // 1000 + 1,
        INT64_MIN // 1000,
        INT64_MIN // 1000 - 1,
        INT64_MAX // 86_400,
        INT64_MAX // 86_400 + 1,
        INT64_MAX // 1_000_000,
        # Years 1, 9999 and 10000, and the last of 64 bits, in seconds and milliseconds.
        -62_135_596_800,
        -62_135_596_801,
        253_402_300_799,
        253_402_300_800,
        292_277_026_596,
        -62_135_596_800_000,
        -62_135_596_800_001,
        253_402_300_799_999,
        253_402_300_800_000,
        9_223_372_036_854_775,
        -9_223_372_036_854_776,
        8_640_000_000_000_001,
        10**18,
        -(10**18),
        1,
        2,
        3,
        7,
        10,
        24,
        60,
        61,
        365,
        366,
        1_000,
        10_000,
        1_000_000,
        1_000_001,
        10**9,
        10**30,
    }
)

# Numbers as JSON writes them, and as it may not.
NUMBER_TEXTS = [
    "1e308",
    "-1e308",
    "1.7976931348623157e308",
    "1e309",
    "-1e309",
    "1e400",
    "1e-400",
    "5e-324",
    "-5e-324",
    "-0",
    "-0.0",
    "0.0",
    "0.1",
    "1.0",
    "1e0",
    "1E+2",
    "9.223372036854775807e18",
    "9223372036854775808.0",
    "-9.3e18",
    "9007199254740993",
    "9007199254740993.5",
    "1e22",
    "1e23",
    "123456789012345678901234567890",
    "0.30000000000000004",
    "1e-7",
    "2.5e-9",
    "99999999999999.99",
    "NaN",
    "Infinity",
    "-Infinity",
    "inf",
    "nan",
    "01",
    "1.",
    ".5",
    "+1",
    "0x10",
    "1e",
    "--1",
    "1_0",
    "1e999999999999",
    "0." + "0" * 400 + "1",
    "9" * 400,
]

# As forms and queries have them: digits of other scripts too.
NUMBER_WORDS = (
    NUMBER_TEXTS
    + [str(number) for number in INTEGERS]
    + [
        "",
        " ",
        "１２",
        "٣",
        "1,000",
        "1 000",
        "1.000,5",
        "½",
        "−1",
        "1e3",
        "0b1",
        "∞",
        "1\x00",
        "\t7",
    ]
)

TEXTS = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "u1\x00zzz",
    "\x00\x00",
    "\t\n\r",
    "\x01\x1f\x7f",
    "\x85\u2028\u2029",
    "\ufffd",
    "\ufffe\uffff",
    "\ufeffmark",
    "a\u0301\u0301\u0301",
    "e\u0301",
    "\u00e9",
    "\u0301",
    "\u202eright to left\u202c",
    "\u200e\u200f\u200b\u200d",
    "\u05d0\u05d1\u05d2",
    "👩‍👩‍👧‍👦",
    "👍🏽",
    "🇯🇵",
    "\U0010ffff",
    "狼煙",
    "ﬁ",
    "ß",
    "İ",
    "ı",
    "K",
    "＝＋＠",
    "'",
    '"',
    "\\",
    "%00",
    "%",
    "%zz",
    "%s%n",
    "..",
    "../../../etc/passwd",
    "/",
    "//",
    "a/b",
    "?",
    "#",
    "&",
    "=",
    ";",
    "<script>alert(1)</script>",
    "</textarea>",
    "{{",
    "{% raw %}",
    "{{ x }}",
    "${a}",
    "{}",
    "[]",
    "null",
    "true",
    "false",
    "undefined",
    "nil",
    "NaN",
    "0",
    "-1",
    "=1+1",
    "@a",
    "+1",
    "-1+1",
    "a@b",
    "a@b@c",
    "@",
    "mailto:a@b",
    "javascript:alert(1)",
    "http://",
    "http://127.0.0.1:1/",
    "https://[::1]:1/",
    "file:///etc/passwd",
    "x" * 256,
    "x" * 1025,
    "é" * 255,
    "x" * 65_536,
    "\u0301" * 5_000,
    "👩‍👩‍👧‍👦" * 500,
    "\r\nX-Injected: 1",
    "'; drop table users; --",
    "\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
]

# Users and events of these names are stored and never named again, so nothing may change them …
CANARIES = ["canary7", "canar\u00e9"]
# … least of all these, which are other names.
NEAR_CANARIES = [
    "canary7\x00x",
    "canary7\x00",
    "canary7\x00\x00y",
    "Canary7",
    "canary7 ",
    " canary7",
    "canary7\ufeff",
    "canary7\u200b",
    "canary7\n",
    "\uff43anary7",
    "canary7\u0301",
    "canare\u0301",
    "CANAR\u00c9",
]

# Texts that only an escape can write.
ESCAPED_TEXTS = [
    '"canary7\\u0000x"',
    '"canary7\\u0000"',
    '"canary7\\u0000"',
    '"canare\\u0301"',
    '"canary7\\ud800"',
    '"\\ud800"',
    '"\\udfff"',
    '"a\\ud83d"',
    '"\\ude00b"',
    '"\\ud83d\\ud83d"',
    '"\\u0000"',
    '"u1\\u0000zzz"',
    '"\\ufffd"',
    '"\\uffff"',
    '"\\u202e"',
    '"\\u0041"',
    '"\\x41"',
    '"\\u00"',
    '"\\ud83d\\ude00"',
    '"\\/"',
    '"\t"',
    '"\n"',
]

TIMES = [
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "0000-12-31T23:59:59+14:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-12:00",
    "9999-12-31T23:59:59.999999999-23:59",
    "10000-01-01T00:00:00Z",
    "+010000-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "292277026596-12-04T15:30:08Z",
    "99999-01-01",
    "1969-12-31T23:59:59Z",
    "1970-01-01T00:00:00Z",
    "2016-12-31T23:59:60Z",
    "2026-06-30T23:59:60Z",
    "2026-01-01T23:60:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T25:00:00Z",
    "2026-02-29T00:00:00Z",
    "2024-02-29T12:00:00Z",
    "2026-02-30",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-01-32",
    "2026-W01-1",
    "2026-366",
    "2026-01-01T00:00:00+14:00",
    "2026-01-01T00:00:00-12:00",
    "2026-01-01T00:00:00+23:59",
    "2026-01-01T00:00:00-23:59",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+99:99",
    "2026-01-01T00:00:00",
    "2026-01-01",
    "2026-01",
    "2026",
    "00:00",
    "23:60",
    "24:00",
    "23:59:60",
    "2038-01-19T03:14:08Z",
    "2106-02-07T06:28:16Z",
    "2262-04-11T23:47:17Z",
    "1582-10-10T00:00:00Z",
    "2026-03-29T02:30:00",
    "2026-11-01T01:30",
    "2035-01-01T00:00:00Z",
    "0001-01-01T00:00",
    "9999-12-31T23:59",
    "10000-01-01T00:00",
    "0000-00-00",
    "0000-00-00T00:00:00Z",
    "2026-01-01T00:00:00.000000000000000001Z",
    "２０２６-01-01",
    "Thu, 01 Jan 1970 00:00:00 GMT",
]

ZONES = [
    "UTC",
    "Asia/Tokyo",
    "Etc/GMT+12",
    "Etc/GMT-14",
    "Pacific/Kiritimati",
    "Pacific/Apia",
    "Africa/Monrovia",
    "Asia/Kathmandu",
    "America/Nowhere",
    "../../etc/passwd",
    "/etc/localtime",
    "GMT+23:59",
    "GMT-23:59",
    "GMT+99",
    "+14:00",
    "UTC+25",
    "",
    "\x00",
    "posixrules",
    "a" * 300,
]

# Half of all numbers are of these: where arithmetic ends.
FAVOURITES = [
    str(INT64_MIN),
    str(INT64_MIN + 1),
    str(INT64_MAX),
    str(INT64_MAX - 1),
    "1e308",
    "-1e308",
    "0",
    "-1",
    "9007199254740993",
    "-9007199254740993",
    "5e-324",
    "-0.0",
    str(INT64_MIN // 1000),
    str(INT64_MAX // 1000),
    "253402300800000",
    "-62135596800001",
    "4294967296",
    "1e18",
    "-1e18",
]


# Half of all times are of these: the ends of the calendar, and beyond them in another zone.
FAVOURITE_TIMES = [
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-12:00",
    "10000-01-01T00:00:00Z",
]


def time(random):
    return random.choice(FAVOURITE_TIMES if random.random() < 0.5 else TIMES)


def number_text(random):
    """A number, or what claims to be one, as it stands in JSON."""
    kind = random.random()
    if kind < 0.5:
        return random.choice(FAVOURITES)
    if kind < 0.8:
        return str(random.choice(INTEGERS))
    return random.choice(NUMBER_TEXTS)


def text(random):
    """A text for a form, a query or a cell."""
    kind = random.random()
    if kind < 0.06:
        return random.choice(NEAR_CANARIES)
    if kind < 0.15:
        return random.choice(FAVOURITES)
    if kind < 0.35:
        return random.choice(NUMBER_WORDS)
    if kind < 0.55:
        return time(random)
    if kind < 0.6:
        return random.choice(ZONES)
    if kind < 0.65:
        return random.choice(TEXTS) + random.choice(TEXTS)
    return random.choice(TEXTS)


def names_a_canary(data):
    """Whether bytes name a canary itself, as a whole text."""
    return any(
        quote + name.encode() + end in data
        for name in CANARIES
        for quote in (b'"', b"=", b"\n", b",")
        for end in (b'"', b"&", b"\n", b",")
    )
