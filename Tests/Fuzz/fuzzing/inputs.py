"""One input of a fuzzer: something that is sent, can be made smaller, stored and shown to people."""

import base64
import json
import shlex
import urllib.parse
import zlib

from . import trees


def pack(data):
    """Bytes for a corpus file: readable where they are short text, else packed."""
    if len(data) <= 4_000:
        try:
            return {"text": data.decode()}
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(data).decode()}
    return {"zlib": base64.b64encode(zlib.compress(data, 9)).decode()}


def unpack(packed):
    if "text" in packed:
        return packed["text"].encode()
    if "base64" in packed:
        return base64.b64decode(packed["base64"])
    return zlib.decompress(base64.b64decode(packed["zlib"]))


def quote(text):
    """A text for a path or a query; lone surrogates become what they would be in UTF-8."""
    return urllib.parse.quote(text.encode("utf-8", "surrogatepass"), safe="")


def urlencode(fields):
    return "&".join(f"{quote(name)}={quote(value)}" for name, value in fields)


class JSONBody:
    kind = "json"

    def __init__(self, tree):
        self.tree = tree

    def content(self, _):
        return trees.encode(self.tree), "application/json"

    def smaller(self):
        for tree in trees.smaller(self.tree):
            yield JSONBody(tree)

    def stored(self):
        return {"kind": "bytes", "type": "application/json", "data": pack(self.content(None)[0])}


class BytesBody:
    kind = "bytes"

    def __init__(self, data, content_type="application/json"):
        self.data = data
        self.type = content_type

    def content(self, _):
        return self.data, self.type

    def smaller(self):
        size = len(self.data) // 2
        while size:
            for start in range(0, len(self.data), size):
                yield BytesBody(self.data[:start] + self.data[start + size :], self.type)
            size //= 2

    def stored(self):
        return {"kind": "bytes", "type": self.type, "data": pack(self.data)}


class FormBody:
    """A form's fields and files; the form's token is put in when it is sent."""

    kind = "form"

    def __init__(self, fields, files=(), has_files=False):
        self.fields = list(fields)
        # (field, file name, bytes)
        self.files = list(files)
        self.has_files = has_files or bool(files)

    def content(self, token):
        fields = ([("csrf", token)] if token else []) + self.fields
        if not self.has_files:
            return urlencode(fields).encode(), "application/x-www-form-urlencoded"
        boundary = "noroshi-fuzz-boundary"
        parts = []
        for name, value in fields:
            head = f'Content-Disposition: form-data; name="{name}"'
            parts.append((head, value.encode("utf-8", "surrogatepass")))
        for field, name, data in self.files:
            head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"'
            parts.append((head + "\r\nContent-Type: application/octet-stream", data))
        body = b"".join(
            f"--{boundary}\r\n{head}\r\n\r\n".encode("utf-8", "surrogatepass") + data + b"\r\n"
            for head, data in parts
        )
        return body + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"

    def smaller(self):
        for index in range(len(self.fields)):
            fields = self.fields[:index] + self.fields[index + 1 :]
            yield FormBody(fields, self.files, self.has_files)
        for index, (name, value) in enumerate(self.fields):
            if len(value) > 1:
                for shorter in ("", value[: len(value) // 2], value[len(value) // 2 :]):
                    fields = list(self.fields)
                    fields[index] = (name, shorter)
                    yield FormBody(fields, self.files, self.has_files)
        for index, (field, name, data) in enumerate(self.files):
            for body in BytesBody(data).smaller():
                files = list(self.files)
                files[index] = (field, name, body.data)
                yield FormBody(self.fields, files, True)

    def stored(self):
        return {
            "kind": "form",
            "fields": self.fields,
            "has_files": self.has_files,
            "files": [[field, name, pack(data)] for field, name, data in self.files],
        }


def body_from(stored):
    if stored is None:
        return None
    if stored["kind"] == "form":
        return FormBody(
            [tuple(field) for field in stored["fields"]],
            [(field, name, unpack(data)) for field, name, data in stored["files"]],
            stored["has_files"],
        )
    data = unpack(stored["data"])
    if stored["type"] == "application/json":
        try:
            return JSONBody(json.loads(data))
        except (ValueError, RecursionError):
            pass
    return BytesBody(data, stored["type"])


class Request:
    """A request to the server under test.

    `who` sends it: `key` (REST), `sdk`, `admin`, `marketer`, `viewer` (console) or `nobody`.
    """

    def __init__(self, who, method, path, query=(), body=None, headers=(), template=None):
        self.who, self.method, self.path = who, method, path
        self.query, self.body, self.headers = list(query), body, list(headers)
        # The path without what is drawn: names the place in reports.
        self.template = template or path

    @property
    def name(self):
        return f"{self.method} {self.template}"

    @property
    def target(self):
        return self.path + ("?" + urlencode(self.query) if self.query else "")

    def send(self, site):
        return site.call(self)

    def with_(self, **changes):
        made = Request(
            self.who, self.method, self.path, self.query, self.body, self.headers, self.template
        )
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def smaller(self):
        for index in range(len(self.headers)):
            yield self.with_(headers=self.headers[:index] + self.headers[index + 1 :])
        for index in range(len(self.query)):
            yield self.with_(query=self.query[:index] + self.query[index + 1 :])
        for index, (name, value) in enumerate(self.query):
            if len(value) > 8:
                query = list(self.query)
                query[index] = (name, value[: len(value) // 2])
                yield self.with_(query=query)
        if self.body is not None:
            for body in self.body.smaller():
                yield self.with_(body=body)

    def stored(self):
        return {
            "kind": "request",
            "who": self.who,
            "method": self.method,
            "path": self.path,
            "template": self.template,
            "query": self.query,
            "headers": self.headers,
            "body": None if self.body is None else self.body.stored(),
        }

    @classmethod
    def restored(cls, stored):
        return cls(
            stored["who"],
            stored["method"],
            stored["path"],
            [tuple(pair) for pair in stored["query"]],
            body_from(stored["body"]),
            [tuple(pair) for pair in stored["headers"]],
            stored["template"],
        )

    def reproduction(self):
        """The request as a command for curl; $KEY and its siblings stand for what is secret."""
        parts = ["curl -sS -i"]
        if self.who in ("key", "sdk"):
            parts.append(
                '-H "Authorization: Bearer $' + {"key": "KEY", "sdk": "SDK_KEY"}[self.who] + '"'
            )
        elif self.who != "nobody":
            parts.append('-b "noroshi_session=$SESSION"')
        if self.method not in ("GET", "POST") or (self.method == "POST" and self.body is None):
            parts.append(f"-X {self.method}")
        for name, value in self.headers:
            parts.append("-H " + shlex.quote(f"{name}: {value}"))
        before = ""
        if isinstance(self.body, FormBody) and not self.body.has_files:
            for name, value in self.body.fields:
                parts.append("--data-urlencode " + shlex.quote(f"{name}={value}"))
            parts.append('--data-urlencode "csrf=$CSRF"')
        elif self.body is not None:
            data, content_type = self.body.content("$CSRF")
            parts.append("-H " + shlex.quote(f"Content-Type: {content_type}"))
            try:
                text = data.decode()
                if len(text) > 4_000 or "\x00" in text:
                    raise ValueError
                parts.append("--data-binary " + shlex.quote(text))
            except ValueError:
                packed = base64.b64encode(zlib.compress(data, 9)).decode()
                before = (
                    "python3 -c 'import base64,sys,zlib; sys.stdout.buffer.write(zlib.decompress("
                    f'base64.b64decode("{packed}")))\' | '
                )
                parts.append("--data-binary @-")
        parts.append(f'"$URL"{shlex.quote(self.target)}')
        return before + " ".join(parts)


class Command:
    """A command of the server's program with files, such as an import."""

    def __init__(self, arguments, files):
        # `{name}` in the arguments stands for the file of that name.
        self.arguments, self.files = list(arguments), dict(files)

    @property
    def name(self):
        return "noroshi-server " + " ".join(self.arguments[:2])

    def send(self, site):
        return site.command(self)

    def smaller(self):
        for name, data in self.files.items():
            lines = data.splitlines(keepends=True)
            if len(lines) > 2:
                for index in range(1, len(lines)):
                    files = dict(self.files)
                    files[name] = b"".join(lines[:index] + lines[index + 1 :])
                    yield Command(self.arguments, files)
            for body in BytesBody(data).smaller():
                yield Command(self.arguments, {**self.files, name: body.data})

    def stored(self):
        return {
            "kind": "command",
            "arguments": self.arguments,
            "files": {name: pack(data) for name, data in self.files.items()},
        }

    @classmethod
    def restored(cls, stored):
        return cls(
            stored["arguments"], {name: unpack(data) for name, data in stored["files"].items()}
        )

    def reproduction(self):
        lines = []
        for name, data in self.files.items():
            packed = base64.b64encode(data).decode()
            lines.append(f"base64 -d > {name} <<< '{packed}'")
        words = " ".join(shlex.quote(word.strip("{}")) for word in self.arguments)
        return "\n".join([*lines, f"noroshi-server {words} --database sqlite:noroshi.sqlite"])


class Conversation:
    """Bytes that one side of a connection says to the other, in pieces."""

    def __init__(self, service, pieces, note=""):
        self.service, self.pieces, self.note = service, list(pieces), note

    @property
    def name(self):
        return f"{self.service} {self.note}".strip()

    def send(self, site):
        return site.converse(self)

    def smaller(self):
        for index in range(len(self.pieces)):
            yield Conversation(
                self.service, self.pieces[:index] + self.pieces[index + 1 :], self.note
            )
        for index, piece in enumerate(self.pieces):
            if len(piece) > 64:
                pieces = list(self.pieces)
                pieces[index] = piece[: len(piece) // 2]
                yield Conversation(self.service, pieces, self.note)

    def stored(self):
        return {
            "kind": "conversation",
            "service": self.service,
            "note": self.note,
            "pieces": [pack(piece) for piece in self.pieces],
        }

    @classmethod
    def restored(cls, stored):
        return cls(stored["service"], [unpack(piece) for piece in stored["pieces"]], stored["note"])

    def reproduction(self):
        return f"{self.service}, one piece a line in hexadecimal:\n" + "\n".join(
            piece.hex() if len(piece) <= 600 else f"{piece[:300].hex()}… ({len(piece)} bytes)"
            for piece in self.pieces
        )


KINDS = {"request": Request, "command": Command, "conversation": Conversation}


def restored(stored):
    return KINDS[stored["kind"]].restored(stored)
