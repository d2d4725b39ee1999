"""Web Push: pywebpush sends to our simulator; http-ece decrypts what our client encrypts."""

import base64
import json
import os

from support import check, sample, signing_key, simulator


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def webpush_pywebpush():
    import requests
    from cryptography.hazmat.primitives import serialization
    from py_vapid import Vapid
    from pywebpush import WebPushException, webpush

    with simulator("webpush") as (running, folder):
        vapid = Vapid()
        vapid.generate_keys()
        key_path = os.path.join(folder, "vapid.pem")
        vapid.save_key(key_path)
        public = encode(
            vapid.public_key.public_bytes(
                serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
            )
        )
        subscription = running.call(
            "POST", "subscriptions", {"application_server_key": public}
        )
        session = requests.Session()
        session.verify = running.authority
        session.trust_env = False

        def send(text, key=key_path):
            return webpush(
                subscription, text, vapid_private_key=key,
                vapid_claims={"sub": "mailto:operator@example.com"},
                ttl=60, requests_session=session,
            )

        check(send(json.dumps({"title": "狼煙"})).status_code == 201, "not 201")
        record = running.accepted()[0]
        check(record["content"] == {"title": "狼煙"}, record)
        other, _ = signing_key(folder)
        try:
            send("no", key=other)
            raise AssertionError("another VAPID key was taken")
        except WebPushException as problem:
            check(problem.response.status_code == 403, problem.response.status_code)
        running.call("DELETE", "subscriptions/" + subscription["endpoint"].rsplit("/", 1)[1])
        try:
            send("gone")
            raise AssertionError("an ended subscription was taken")
        except WebPushException as problem:
            check(problem.response.status_code == 410, problem.response.status_code)
        return "decrypted; another key answered 403, an ended subscription 410"


def webpush_http_ece():
    import http_ece
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    public = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    secret = os.urandom(16)
    for text in ("狼煙", "x" * 3993, "a"):
        # Eight are encrypted together, where the processor can, and the ninth by itself.
        bodies = sample("webpush", f"--public-key={encode(public)}", f"--secret={encode(secret)}",
                        "--count=9", stdin=text).split()
        check(len(set(bodies)) == 9, "not nine different bodies")
        for body in bodies:
            content = http_ece.decrypt(
                base64.b64decode(body), private_key=key, auth_secret=secret, version="aes128gcm"
            )
            check(content.decode() == text, "the content differs")
    return "27 bodies decrypted, the longest of 3,993 bytes"
