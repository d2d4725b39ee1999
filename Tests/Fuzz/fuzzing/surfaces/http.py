"""HTTP/1.1 as bytes: request lines, headers, chunks and lengths that do not fit."""

from .. import extremes, trees
from ..inputs import Conversation
from ..surface import Surface

METHODS = [
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "PATCH",
    "TRACE",
    "CONNECT",
    "get",
    "",
    "X" * 300,
]
PATHS = [
    "/health",
    "/ready",
    "/users/track",
    "/sdk/v1/batch",
    "/console",
    "/console/login",
    "/openapi.json",
    "/sdk/web/noroshi.js",
    "/assets/x/console.css",
    "*",
    "http://other/health",
    "//",
    "/%00",
    "/%zz",
    "/../../etc/passwd",
    "/console/push?page=1",
    "/nothing",
    "/exports/x",
    "/" + "a" * 70_000,
    "",
]
HEADERS = [
    "Host: a",
    "Host: a\r\nHost: b",
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 5, 6",
    "Content-Length: 9223372036854775808",
    "Content-Length: 18446744073709551616",
    "Content-Length: +5",
    "Content-Length: 5\r\nContent-Length: 6",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: gzip",
    "Transfer-Encoding: identity",
    "Content-Length: 3\r\nTransfer-Encoding: chunked",
    "Connection: close",
    "Connection: upgrade\r\nUpgrade: h2c",
    "Expect: 100-continue",
    "Expect: x",
    "Upgrade: websocket",
    "Range: bytes=0-1",
    "Range: bytes=-1",
    "Range: bytes=9223372036854775807-",
    "If-None-Match: *",
    "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
    "Accept-Language: " + "a," * 2_000,
    "Accept-Language: ja;q=NaN",
    "Cookie: " + "a=b; " * 500,
    "Cookie: noroshi_session=\x01",
    "Authorization: Bearer",
    "Authorization: Bearer \x00",
    "Authorization: Basic ====",
    "X-Forwarded-For: 1.1.1.1, ,::",
    "X-Forwarded-Proto: javascript",
    "Origin: null",
    "Access-Control-Request-Method: POST",
    "Content-Type: multipart/form-data; boundary=",
    'Content-Type: multipart/form-data; boundary="',
    "Content-Type: application/x-www-form-urlencoded",
    " folded",
    ": empty",
    "a b: c",
    "X: " + "y" * 20_000,
    "é: ü",
    "Sec-Fetch-Site: cross-site",
]
CHUNKS = [
    "5\r\nhello\r\n0\r\n\r\n",
    "0\r\n\r\n",
    "5\nhello\n0\n\n",
    "-1\r\n",
    "FFFFFFFFFFFFFFFF\r\n",
    "xyz\r\n",
    "5;a=b\r\nhello\r\n0\r\n\r\n",
    "0\r\nX: y\r\n\r\n",
    "5\r\nhel",
    "10000000000000000\r\n",
    "\r\n",
    "",
]


class HTTP(Surface):
    def make(self):
        random = self.random
        said = b"".join(self.request() for _ in range(random.choice([1, 1, 1, 2, 3])))
        if random.random() < 0.15:
            said = trees.mutate_bytes(random, said)
        pieces = [said]
        if random.random() < 0.3 and len(said) > 2:
            cut = random.randrange(1, len(said))
            pieces = [said[:cut], said[cut:]]
        return Conversation("http", pieces)

    def request(self):
        random = self.random
        if random.random() < 0.5:
            return self.nearly_right()
        version = random.choices(
            ["HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.9", "HTTP/", ""],
            [20, 2, 1, 1, 1, 1, 1],
        )[0]
        method, path = random.choice(METHODS[:6] * 3 + METHODS), random.choice(PATHS)
        lines = [f"{method} {path} {version}"]
        if random.random() < 0.8:
            lines.append("Host: 127.0.0.1")
        lines += [random.choice(HEADERS) for _ in range(random.choice([0, 1, 2, 4]))]
        if random.random() < 0.1:
            lines.append("X-A: " + extremes.text(random)[:3_000])
        if random.random() < 0.02:
            lines += [f"X-{number}: y" for number in range(2_000)]
        body = random.choice(["", "", "{}", "hello"] + CHUNKS)
        if body and random.random() < 0.4:
            lines.append(f"Content-Length: {len(body) + random.choice([0, 0, 0, 1, -1])}")
        return self.joined(lines, body)

    def nearly_right(self):
        """One thing that is wrong about a request that some route would take."""
        random = self.random
        who, method, path, content_type, body = random.choice(
            [
                ("key", "POST", "/users/track", "application/json", '{"attributes":[]}'),
                ("sdk", "POST", "/sdk/v1/batch", "application/json", '{"records":[]}'),
                (
                    None,
                    "POST",
                    "/console/login",
                    "application/x-www-form-urlencoded",
                    "email=a&password=b",
                ),
                (
                    None,
                    "POST",
                    "/console/language",
                    "application/x-www-form-urlencoded",
                    "language=ja",
                ),
                ("key", "GET", "/campaigns/list?page=0", "", ""),
                (None, "GET", "/ready", "", ""),
                (None, "GET", "/sdk/web/noroshi.js", "", ""),
            ]
        )
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
        if who:
            lines.append("Authorization: Bearer " + {"key": "{{KEY}}", "sdk": "{{SDK_KEY}}"}[who])
        if content_type:
            lines.append(f"Content-Type: {content_type}")
        kind = random.random()
        if kind < 0.5 and body:
            lines.append(
                "Transfer-Encoding: "
                + random.choice(["chunked"] * 5 + ["xchunked", "gzip, chunked"])
            )
            whole = f"{len(body):x}\r\n{body}\r\n"
            body = random.choice(["", whole]) + random.choice(CHUNKS)
        else:
            lines.append(f"Content-Length: {len(body)}")
            lines.insert(random.randrange(1, len(lines)), random.choice(HEADERS))
        return self.joined(lines, body)

    def joined(self, lines, body):
        end = self.random.choices(["\r\n", "\n", "\r"], [40, 1, 1])[0]
        return (end.join(lines) + end + end + body).encode("utf-8", "surrogatepass")
