"""Credentials of push providers: .p12, .p8, service accounts and VAPID keys, as uploaded files."""

import base64
import os
import re
import subprocess

from .. import extremes, trees
from ..inputs import FormBody, Request
from ..site import BUNDLE
from ..surface import Surface

PASSWORDS = {"plain": "", "sealed": "secret", "old": "old"}


class Credentials(Surface):
    def prepare(self):
        self.folder = os.path.join(self.site.folder, "credentials")
        os.makedirs(self.folder, exist_ok=True)
        page = self.site.exchange(
            "GET",
            "/console/settings/apps",
            None,
            {"Cookie": f"noroshi_session={self.site.secrets['sessions']['admin'][0]}"},
        ).text
        self.apps = sorted(set(re.findall(r"/console/settings/apps/(\d+)/", page)))
        self.files = {
            name: self.certificate(name, password) for name, password in PASSWORDS.items()
        }
        with open(os.path.join(self.site.folder, "AuthKey.p8"), "rb") as file:
            self.p8 = file.read()
        self.account = {
            "type": "service_account",
            "project_id": "example-fuzz",
            "private_key_id": "a1",
            "private_key": self.openssl("genpkey", "-algorithm", "rsa").decode(),
            "client_email": "a@example-fuzz.iam.gserviceaccount.com",
            "client_id": "1",
            "token_uri": "https://oauth2.googleapis.com/token",
        }

    def openssl(self, *arguments):
        return subprocess.run(
            ["openssl", *arguments], check=True, capture_output=True, cwd=self.folder
        ).stdout

    def certificate(self, name, password):
        """A file as a keychain exports it, in an old and a new form."""
        with open(os.path.join(self.folder, "config"), "w") as file:
            file.write(
                "[req]\ndistinguished_name = dn\nx509_extensions = ext\nprompt = no\n[dn]\n"
                f"UID = {BUNDLE}\nCN = Apple Push Services: {BUNDLE}\n[ext]\n"
                "1.2.840.113635.100.6.3.1 = DER:0500\n1.2.840.113635.100.6.3.2 = DER:0500\n"
                "1.2.840.113635.100.6.3.6 = ASN1:SEQUENCE:topics\n[topics]\n"
                f"a = UTF8:{BUNDLE}\nb = SEQUENCE:app\n[app]\na = UTF8:app\n"
            )
        self.openssl(
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            "key",
            "-out",
            "cert",
            "-days",
            "300",
            "-config",
            "config",
        )
        old = ["-descert"] if name == "old" else []
        self.openssl(
            "pkcs12",
            "-export",
            "-inkey",
            "key",
            "-in",
            "cert",
            "-out",
            name,
            "-passout",
            f"pass:{password}",
            *old,
        )
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def make(self):
        random = self.random
        app = random.choice(self.apps + ["1", "9", "-1", str(2**63 - 1)])
        kind = random.random()
        if kind < 0.55:
            name = random.choice(list(self.files))
            data = self.bent_der(self.files[name])
            password = PASSWORDS[name] if random.random() < 0.8 else extremes.text(random)
            fields, files = [("kind", "certificate"), ("password", password)], [
                ("p12", "a.p12", data)
            ]
        elif kind < 0.7:
            fields = [("kind", "key"), ("keyID", "KEY1234567"), ("teamID", "TEAM123456")]
            files = [("p8", "a.p8", self.bent_pem(self.p8))]
            if random.random() < 0.3:
                fields[1] = ("keyID", extremes.text(random))
        elif kind < 0.85:
            tree = trees.copy(self.account)
            tree = trees.mutate(random, tree)
            if random.random() < 0.3 and isinstance(tree, dict):
                tree["private_key"] = self.bent_pem(self.account["private_key"].encode()).decode(
                    "utf-8", "replace"
                )
            fields, files = [("kind", "fcm")], [("json", "a.json", trees.encode(tree))]
        else:
            secret = base64.urlsafe_b64encode(random.randbytes(32)).decode().rstrip("=")
            values = [
                secret,
                "",
                "A" * 43,
                extremes.text(random),
                self.bent_pem(self.p8).decode("utf-8", "replace"),
            ]
            fields = [
                ("kind", "vapid"),
                ("privateKey", random.choice(values)),
                ("contact", random.choice(["mailto:a@example.com", extremes.text(random)])),
                ("site", random.choice(["https://tea.example", extremes.text(random)])),
            ]
            files = []
        return Request(
            "admin",
            "POST",
            f"/console/settings/apps/{app}/credentials",
            body=FormBody(fields, files, has_files=True),
            template="/console/settings/apps/{number}/credentials",
        )

    def bent_der(self, data):
        """Bytes with wrong lengths, tags and numbers; DER says each of them before its content."""
        random = self.random
        data = bytearray(data)
        for _ in range(self.times()):
            kind = random.random()
            place = random.randrange(len(data)) if data else 0
            if kind < 0.35 and data:
                lengths = [
                    index for index, byte in enumerate(data[:-1]) if byte in (0x30, 2, 4, 6, 0xA0)
                ]
                if lengths:
                    index = random.choice(lengths) + 1
                    if index < len(data):
                        data[index : index + 1] = random.choice(
                            [
                                b"\x00",
                                b"\x80",
                                b"\x7f",
                                b"\xff",
                                b"\x84\xff\xff\xff\xff",
                                b"\x88" + b"\xff" * 8,
                                b"\x84\x7f\xff\xff\xff",
                                b"\x81\x00",
                            ]
                        )
            elif kind < 0.5 and data:
                data[place] = random.choice([0x30, 0x31, 0x02, 0x04, 0x05, 0x24, 0xA0, 0x00, 0x1F])
            else:
                data = bytearray(trees.mutate_bytes(random, bytes(data)))
        return bytes(data)

    def bent_pem(self, data):
        random = self.random
        if random.random() < 0.5:
            body = b"".join(line for line in data.splitlines() if not line.startswith(b"-"))
            try:
                der = self.bent_der(base64.b64decode(body))
            except ValueError:
                return data
            head, foot = data.splitlines()[0], data.strip().splitlines()[-1]
            return head + b"\n" + base64.encodebytes(der) + foot + b"\n"
        return trees.mutate_bytes(random, data)
