"""What is wrong with an answer, and where: two faults with the same name count as one."""

import re


class Answer:
    """What came back for an input."""

    def __init__(self, status=0, headers=None, body=b"", seconds=0.0, failure=None, log=""):
        self.status, self.headers, self.body = status, headers or {}, body
        self.seconds, self.failure, self.log = seconds, failure, log

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")


class Fault:
    """`kind`: ended, refused (an answer of 5xx), silent, unreadable (after a restart), lasting."""

    def __init__(self, kind, place, detail, check=None):
        self.kind, self.place, self.detail = kind, place, detail
        # The request that shows it, where it is not the input itself.
        self.check = check

    @property
    def name(self):
        return f"{self.kind} · {self.place} · {cause(self.detail, self.kind)}"


def cause(detail, kind=""):
    """The part of a log that names the place in the sources, without what differs each time."""
    # What was logged before an end need have nothing to do with it.
    if kind == "ended":
        detail = re.sub(r"\berror=[^\n]*", "", detail)
    detail = re.sub(r"\bhb\.request\.id=\S+|\b(api\.)?path=\S+", "", detail)
    for pattern in (
        r"in .*? at (/\S*/Sources/\S+\.swift:\d+)",
        r"\b(\w[\w+]*\.swift:\d+)\b",
        r"(Fatal error: [^\n]{0,120})",
        r"\berror=\"?([^\n]{0,160})",
        r"(ended by \w+)",
    ):
        found = re.search(pattern, detail)
        if found:
            text = found[1].split("/Sources/")[-1]
            text = re.sub(r"[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}", "ID", text)
            text = re.sub(r'"[^"]*"?|“[^”]*”?|\'[^\']*\'?', '"…"', text)
            return re.sub(r"(?<!swift:)-?\d+", "N", text) if "swift:" not in text else text
    return detail[:60].replace("\n", " ")


def judge(answer, place):
    """The fault of an answer of a server that still runs, or None."""
    if answer.failure:
        return Fault("silent", place, answer.failure)
    if answer.status < 500:
        return None
    if answer.status == 503 and ("not ready" in answer.text or "Retry-After" in answer.headers):
        return None
    errors = [line for line in answer.log.splitlines() if " error " in line or "critical" in line]
    said = "\n".join(errors[-3:]) or re.sub(r"<[^>]+>|\s+", " ", answer.text)[:300]
    return Fault("refused", place, f"{answer.status}: {said}")
