"""openssl verifies our signatures, and makes the .p12 files that we read."""

import base64
import json
import os
import subprocess
import tempfile

from support import check, need, sample, signing_key


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def der_signature(raw):
    def integer(data):
        data = data.lstrip(b"\0") or b"\0"
        if data[0] & 0x80:
            data = b"\0" + data
        return b"\x02" + bytes([len(data)]) + data

    body = integer(raw[:32]) + integer(raw[32:])
    return b"\x30" + bytes([len(body)]) + body


def openssl_jwt():
    openssl = need("openssl")
    with tempfile.TemporaryDirectory() as folder:
        key_path, public = signing_key(folder)
        public_path = os.path.join(folder, "public.pem")
        open(public_path, "w").write(public)
        for kind, prefix in (("apns-token", "bearer "), ("vapid-token", "vapid t=")):
            text = sample(kind, "--key", key_path)
            check(text.startswith(prefix), text)
            token = text[len(prefix):].split(",")[0]
            head, claims, signature = token.split(".")
            check(json.loads(decode(head))["alg"] == "ES256", head)
            json.loads(decode(claims))
            signed, seal = (os.path.join(folder, name) for name in ("signed", "seal"))
            open(signed, "w").write(f"{head}.{claims}")
            open(seal, "wb").write(der_signature(decode(signature)))
            result = subprocess.run(
                [openssl, "dgst", "-sha256", "-verify", public_path, "-signature", seal, signed],
                capture_output=True, text=True,
            )
            check("Verified OK" in result.stdout, f"{kind}: {result.stdout} {result.stderr}")
        return "provider token and VAPID token verified"


def openssl_p12():
    openssl = need("openssl")
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        config = """
[req]
distinguished_name = dn
x509_extensions = ext
prompt = no
[dn]
UID = jp.example.fires
CN = Apple Push Services: jp.example.fires
[ext]
1.2.840.113635.100.6.3.1 = DER:0500
1.2.840.113635.100.6.3.2 = DER:0500
1.2.840.113635.100.6.3.6 = ASN1:SEQUENCE:topics
[topics]
a = UTF8:jp.example.fires
b = SEQUENCE:app
c = UTF8:jp.example.fires.voip
d = SEQUENCE:voip
[app]
a = UTF8:app
[voip]
a = UTF8:voip
"""
        open(path("config"), "w").write(config)
        subprocess.run(
            [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path("key"),
             "-out", path("cert"), "-days", "300", "-config", path("config")],
            check=True, capture_output=True,
        )
        made = []
        for name, password, more in (
            ("plain", "", []), ("sealed", "secret 火", []), ("pbe", "old", ["-descert"]),
        ):
            result = subprocess.run(
                [openssl, "pkcs12", "-export", "-inkey", path("key"), "-in", path("cert"),
                 "-out", path(name), "-passout", f"pass:{password}", *more],
                capture_output=True, text=True,
            )
            if result.returncode != 0:
                continue
            arguments = ["p12", "--file", path(name)]
            if password:
                arguments += ["--password", password]
            summary = json.loads(sample(*arguments))
            check(summary["bundle_id"] == "jp.example.fires", summary)
            check(summary["topics"] == ["jp.example.fires", "jp.example.fires.voip"], summary)
            check(summary["environments"] == ["production", "sandbox"], summary)
            made.append(name)
        check("plain" in made and "sealed" in made, made)
        for arguments, word in (
            (["--file", path("sealed"), "--password", "wrong"], "password does not open"),
            (["--file", path("sealed")], "protected by a password"),
            (["--file", path("cert")], "not a PKCS#12"),
        ):
            try:
                sample("p12", *arguments)
                raise RuntimeError(f"{arguments} was taken")
            except AssertionError as problem:
                check(word in str(problem), str(problem))
        return f"{', '.join(made)} read; a wrong, a missing password and a PEM explained"
