"""HTTP/2 frames, HPACK, tokens and payloads, at the simulated push services."""

import time
import uuid

from .. import extremes, frames, signing, trees
from ..inputs import Conversation
from ..surface import Surface

TOPIC = "example.fuzz"
TEAMS = 64


class Simulators(Surface):
    site = "simulators"

    def prepare(self):
        self.key = signing.ECKey()
        self.refresh()

    def refresh(self):
        """They forget everything when they end, so all is registered again."""
        site = self.site
        self.turn = 0
        for team in range(TEAMS):
            site.control(
                "apns",
                "POST",
                "keys",
                {"team_id": f"TEAM{team:06}", "key_id": "KEY1234567", "public_key": self.key.pem()},
            )
        self.device = site.control(
            "apns", "POST", "devices", {"topic": TOPIC, "environment": "production"}
        )["token"]
        self.account = site.control("fcm", "POST", "accounts", {"project": "example-fuzz"})
        self.fcm_device = site.control("fcm", "POST", "devices", {"project": "example-fuzz"})[
            "token"
        ]
        self.fcm_key = signing.RSAKey(self.account["private_key"])
        self.fcm_token = site.exchange_token(self.assertion({}))
        self.subscription = site.control(
            "webpush",
            "POST",
            "subscriptions",
            {"application_server_key": signing.base64url(self.key.public)},
        )
        self.apns_token = self.provider_token(0, {})

    def provider_token(self, team, more):
        claims = {"iss": f"TEAM{team:06}", "iat": int(time.time()), **more}
        return signing.token(self.key, {"alg": "ES256", "kid": "KEY1234567"}, trees.write(claims))

    def assertion(self, more):
        now = int(time.time())
        claims = {
            "iss": self.account["client_email"],
            "aud": self.account["token_uri"],
            "iat": now,
            "exp": now + 3600,
            "scope": "https://www.googleapis.com/auth/firebase.messaging",
            **more,
        }
        return signing.token(self.fcm_key, {"alg": "RS256", "typ": "JWT"}, trees.write(claims))

    def make(self):
        random = self.random
        service, fields, body = random.choice([self.apns, self.apns, self.fcm, self.webpush])()
        for _ in range(random.choice([0, 1, 1, 2])):
            index = random.randrange(len(fields))
            name, value = fields[index]
            kind = random.random()
            if kind < 0.6:
                fields[index] = (name, extremes.text(random)[:5_000])
            elif kind < 0.8:
                del fields[index]
            else:
                fields.append((name, extremes.text(random)[:200]))
            if not fields:
                break
        if random.random() < 0.3:
            body = trees.mutate_bytes(random, body)
        said = [frames.PREFACE + frames.settings([(3, 100), (4, 65_535)])]
        said += frames.request(1, fields, body)
        note = "request"
        kind = random.random()
        if kind < 0.25:
            note = "header block"
            said[1] = frames.frame(
                frames.HEADERS, frames.END_HEADERS, 1, frames.odd_block(random, fields)
            )
        elif kind < 0.7:
            note = "frames"
            for _ in range(random.choice([1, 2, 4])):
                said.insert(random.randrange(len(said) + 1), frames.odd_frame(random, 1))
        elif kind < 0.8:
            note = "bytes"
            joined = b"".join(said)
            said = [trees.mutate_bytes(random, joined)]
        return Conversation(service, said, note)

    def number(self):
        return extremes.number_text(self.random)

    def apns(self):
        random = self.random
        token = self.apns_token
        if random.random() < 0.15:
            self.turn += 1
            claims = {random.choice(["iat", "iss", "exp", "nbf"]): trees.extreme(random, like=1)}
            token = self.provider_token(self.turn % TEAMS, claims)
        fields = [
            (":method", "POST"),
            (":scheme", "https"),
            (":path", f"/3/device/{self.device}"),
            (":authority", "127.0.0.1"),
            ("authorization", f"bearer {token}"),
            ("apns-topic", TOPIC),
            ("apns-push-type", "alert"),
            ("apns-priority", "10"),
            ("apns-expiration", self.number() if random.random() < 0.4 else "0"),
            ("apns-id", str(uuid.UUID(int=random.getrandbits(128)))),
            ("apns-collapse-id", "a"),
        ]
        tree = {"aps": {"alert": {"title": "a", "body": "b"}, "badge": 1}, "noroshi": {"a": 1}}
        return "apns", fields, self.bent(tree)

    def bent(self, tree):
        for _ in range(self.random.choice([0, 1, 2])):
            tree = trees.mutate(self.random, tree)
        return trees.encode(tree)[:200_000]

    def fcm(self):
        random = self.random
        if random.random() < 0.3:
            claims = {
                random.choice(["iat", "exp", "aud", "scope", "iss"]): trees.extreme(random, like=1)
            }
            body = (
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
                + self.assertion(claims)
            ).encode()
            fields = [
                (":method", "POST"),
                (":scheme", "https"),
                (":path", "/token"),
                (":authority", "127.0.0.1"),
                ("content-type", "application/x-www-form-urlencoded"),
            ]
            return "fcm", fields, body
        fields = [
            (":method", "POST"),
            (":scheme", "https"),
            (":authority", "127.0.0.1"),
            (":path", "/v1/projects/example-fuzz/messages:send"),
            ("authorization", f"Bearer {self.fcm_token}"),
            ("content-type", "application/json"),
        ]
        tree = {
            "validate_only": False,
            "message": {
                "token": self.fcm_device,
                "data": {"a": "b"},
                "android": {"ttl": "60s", "priority": "high", "collapse_key": "a"},
                "notification": {"title": "a"},
            },
        }
        if random.random() < 0.3:
            tree["message"]["android"]["ttl"] = self.number() + random.choice(["s", "", "ms"])
        return "fcm", fields, self.bent(tree)

    def webpush(self):
        random = self.random
        endpoint = self.subscription["endpoint"]
        origin, path = "/".join(endpoint.split("/")[:3]), "/" + "/".join(endpoint.split("/")[3:])
        claims = {"aud": origin, "exp": int(time.time()) + 3600, "sub": "mailto:a@example.com"}
        if random.random() < 0.3:
            claims[random.choice(list(claims))] = trees.extreme(random, like=1)
        token = signing.token(self.key, {"alg": "ES256", "typ": "JWT"}, trees.write(claims))
        fields = [
            (":method", "POST"),
            (":scheme", "https"),
            (":path", path),
            (":authority", "127.0.0.1"),
            ("authorization", f"vapid t={token}, k={signing.base64url(self.key.public)}"),
            ("ttl", self.number() if random.random() < 0.4 else "60"),
            ("urgency", "high"),
            ("topic", "a"),
            ("content-encoding", "aes128gcm"),
        ]
        size = random.choice([0, 1, 17, 18, 4096, 2**31 - 1, 2**32 - 1])
        sender = random.choice([self.key.public, b"", b"\x04" + b"\0" * 64, b"\xff" * 255])
        body = random.randbytes(16) + size.to_bytes(4, "big") + bytes([len(sender) & 255]) + sender
        return "webpush", fields, body + random.randbytes(random.choice([0, 1, 16, 17, 100, 4_000]))
