"""schemathesis and openapi-spec-validator against /openapi.json of a server with data in it."""

import json
import os
import re
import subprocess
import urllib.request

from rest import environment, fill, server
from support import check

CHECKS = ",".join([
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "unsupported_method",
    "ignored_auth",
])
# Requests made up for each operation; NOROSHI_EXAMPLES asks for more of them.
EXAMPLES = "10"


def openapi_validator():
    interpreter = environment("described", PACKAGES, RECENT)
    with server() as running:
        with urllib.request.urlopen(f"{running.url}/openapi.json", timeout=10) as answer:
            text = answer.read()
        path = os.path.join(running.folder, "openapi.json")
        with open(path, "wb") as file:
            file.write(text)
        done = subprocess.run(
            [interpreter, "-m", "openapi_spec_validator", path], capture_output=True, text=True
        )
        check(done.returncode == 0, done.stdout + done.stderr)
        return f"{len(json.loads(text)['paths'])} paths are described as OpenAPI 3.1 wants it"


def schemathesis():
    interpreter = environment("described", PACKAGES, RECENT)
    with server() as running:
        fill(running)
        done = subprocess.run(
            [
                os.path.join(os.path.dirname(interpreter), "schemathesis"), "run",
                f"{running.url}/openapi.json", "--header", f"Authorization: Bearer {running.key}",
                "--checks", CHECKS, "--max-examples", os.environ.get("NOROSHI_EXAMPLES", EXAMPLES),
                "--phases", "examples,coverage,fuzzing,stateful", "--continue-on-failure",
                "--seed", "20260704",
            ],
            capture_output=True, text=True, timeout=1500, cwd=running.folder,
        )
        check(done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:])
        check(running.process.poll() is None, "the server ended")
        found = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
        check(found and found[1] == found[2], done.stdout[-2000:])
        return f"{found[1]} requests, no answer that is not described"


PACKAGES = ["schemathesis==4.32.5", "openapi-spec-validator==0.9.0"]
RECENT = ["3.13", "3.12", "3.11", "3.10"]
