"""Push clients from PyPI, unchanged but for the host and the authority they trust, against the
simulators.

Each client has an environment of its own and a script in clients/, which sends what it is told to
and reports what the client said. Here the report is compared with what the simulator recorded:
nothing may be missing, changed, or there although it was refused.
"""

import json
import os
import subprocess

from environments import RECENT, environment
from support import check, need, signing_key, simulator

HERE = os.path.dirname(os.path.abspath(__file__))
TEAM, KEY, TOPIC, PROJECT = "TEAM123456", "KEY1234567", "jp.example.fires", "fires-1234"


def run(interpreter, script, facts, authority, *arguments):
    """Runs clients/send_SCRIPT.py; its report, or its own words when it fails."""
    done = subprocess.run(
        [interpreter, os.path.join(HERE, "clients", f"send_{script}.py"), *arguments],
        env={
            **os.environ, "NOROSHI_FACTS": json.dumps(facts), "TZ": "UTC",
            # Where httpx, requests and the TLS libraries look for authorities.
            "SSL_CERT_FILE": authority, "REQUESTS_CA_BUNDLE": authority, "NO_PROXY": "*",
        },
        capture_output=True, text=True, timeout=300,
    )
    check(done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-6000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def compare(records, report, content):
    """Each push that the client says was accepted is recorded as it was sent, and no other one."""
    rest = list(records)
    for push in report["sent"]:
        wanted = {"payload": push["payload"]}
        wanted.update({name: value for name, value in push.items() if name != "payload"})

        def fits(record):
            # `token` is what the script sent to; Web Push calls it the endpoint.
            return all(
                content(record) == value if name == "payload"
                else record.get("endpoint" if name == "token" and "endpoint" in record else name)
                == value
                for name, value in wanted.items()
            )

        found = next((record for record in rest if fits(record)), None)
        check(found is not None, f"not recorded: {wanted}; recorded: {rest[:3]}")
        rest.remove(found)
    check(not rest, f"recorded, but not reported as sent: {rest[:3]}")


def compare_refusals(report, words):
    for case, word in words.items():
        said = report["refused"].get(case)
        check(said is not None, f"{case}: nothing was said")
        check(all(part in said for part in word.split()), f"{case}: {said!r} without {word!r}")


# APNs.

# What Apple says, which most clients hand on.
APPLE = {"unknown": "BadDeviceToken", "gone": "Unregistered", "large": "PayloadTooLarge"}


def certificate(folder):
    """A push certificate as Apple makes them, in one PEM with its key."""
    openssl = need("openssl")
    config, combined = (os.path.join(folder, name) for name in ("push.cnf", "push.pem"))
    with open(config, "w") as file:
        file.write(
            "[req]\ndistinguished_name = dn\nx509_extensions = ext\nprompt = no\n"
            f"[dn]\nUID = {TOPIC}\nCN = Apple Push Services: {TOPIC}\n"
            "[ext]\n1.2.840.113635.100.6.3.1 = DER:0500\n1.2.840.113635.100.6.3.2 = DER:0500\n"
        )
    key, leaf = (os.path.join(folder, name) for name in ("push.key", "push.crt"))
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", leaf,
         "-days", "300", "-config", config],
        check=True, capture_output=True,
    )
    with open(combined, "w") as file:
        for path in (key, leaf):
            with open(path) as part:
                file.write(part.read())
    return combined


def apns_facts(running, folder, count, **more):
    key_path, public = signing_key(folder)
    running.call("POST", "keys", {"team_id": TEAM, "key_id": KEY, "public_key": public})

    def device():
        return running.call("POST", "devices", {"topic": TOPIC})["token"]

    gone = device()
    running.call("DELETE", f"devices/{gone}")
    return {
        "host": "127.0.0.1", "port": running.port, "origin": running.origin,
        "authority": running.authority, "key_path": key_path, "team": TEAM, "key": KEY,
        "topic": TOPIC, "devices": [device() for _ in range(count)], "gone": gone,
        "unknown": "ab" * 32, **more,
    }


def apns(name, packages, versions=RECENT, refusals=APPLE, count=10, script=None, arguments=()):
    interpreter = environment(name, packages, versions)
    with simulator("apns") as (running, folder):
        facts = apns_facts(running, folder, count)
        report = run(interpreter, script or name, facts, running.authority, *arguments)
        compare(running.accepted(), report, lambda record: record["payload"])
        compare_refusals(report, refusals)
        return f"{len(report['sent'])} pushes as they were sent; {', '.join(refusals)} refused"


def apns_kalyke():
    return apns("kalyke", ["kalyke-apns==1.5.0"])


def apns_pyapns_client():
    return apns("pyapns_client", ["pyapns-client==2.0.6"], ["3.11", "3.10"])


def apns_pyapns_client3():
    return apns("pyapns_client3", ["pyapns-client3==3.0.6"], ["3.11", "3.10"])


def apns_apns2():
    # PyAPNs2 itself (apns2 0.7.2) wants a hyper that ends with Python 3.9; this is its heir.
    return apns(
        "apns2", ["apns2-up==0.9.0"], ["3.11", "3.10"], arguments=["hyper"]
    )


def apns_mopyapns():
    return apns(
        "mopyapns", ["mopyapns==0.8.0"], ["3.11", "3.12"], script="apns2", arguments=["httpx"]
    )


def apns_simple_apns():
    # The client keeps the reason of a 400 alone.
    return apns(
        "simple_apns", ["simple-apns==0.1.2"], ["3.11", "3.12"],
        {"unknown": "Invalid device token", "gone": "no longer valid", "large": "APNSServerError"},
    )


def apns_pyapnskit():
    return apns(
        "pyapnskit", ["pyapnskit==0.2.1"], ["3.12", "3.13"],
        {"unknown": "400 BadDeviceToken", "gone": "410 Unregistered",
         "large": "413 PayloadTooLarge"},
    )


def apns_aapns():
    # It measures the payload itself and sends none that is too large.
    interpreter = environment("aapns", ["aapns==23.7"], ["3.11", "3.10"])
    with simulator("apns") as (running, folder):
        facts = apns_facts(running, folder, 40, certificate=certificate(folder))
        report = run(interpreter, "aapns", facts, running.authority)
        compare(running.accepted(), report, lambda record: record["payload"])
        compare_refusals(report, {"unknown": "BadDeviceToken", "gone": "Unregistered"})
        return f"{len(report['sent'])} pushes with a certificate as they were sent"


def apns_aioapns():
    # Two processes within the twenty minutes in which a sender may not change its token.
    interpreter = environment("aioapns", ["aioapns==4.0"], ["3.11", "3.12"])
    with simulator("apns") as (running, folder):
        facts = apns_facts(running, folder, 200)
        refusals = {"unknown": "400 BadDeviceToken", "gone": "410 Unregistered",
                    "large": "413 PayloadTooLarge"}
        connections = []
        for process in range(2):
            before = len(running.accepted())
            report = run(interpreter, "aioapns", facts, running.authority)
            compare(running.accepted()[before:], report, lambda record: record["payload"])
            compare_refusals(report, refusals)
            check(len(report["sent"]) == 200, len(report["sent"]))
            connections.append(report["notes"]["connections"])
        return f"200 of 200 at once, twice, over {connections[0]} and {connections[1]} connections"


# FCM.


def fcm_facts(running, count):
    def device(project=PROJECT):
        return running.call("POST", "devices", {"project": project})["token"]

    gone = device()
    running.call("DELETE", f"devices/{gone}")
    return {
        "origin": running.origin, "authority": running.authority, "project": PROJECT,
        "account": json.dumps(running.call("POST", "accounts", {"project": PROJECT})),
        "devices": [device() for _ in range(count)], "gone": gone, "foreign": device("other-1"),
        "unknown": "no-token-of-ours",
    }


def fcm(name, packages, refusals, count=20):
    interpreter = environment(name, packages, ["3.11", "3.12"])
    with simulator("fcm") as (running, _):
        report = run(interpreter, name, fcm_facts(running, count), running.authority)
        compare(running.accepted(), report, lambda record: record["message"])
        compare_refusals(report, refusals)
        check(report["notes"]["dry_run"].startswith(f"projects/{PROJECT}/"), report["notes"])
        return (
            f"{len(report['sent'])} messages as they were sent, a dry run that went nowhere; "
            f"{', '.join(refusals)} refused"
        )


def fcm_firebase_admin():
    return fcm(
        "firebase_admin", ["firebase-admin==7.7.0"],
        {"gone": "UnregisteredError", "unknown": "InvalidArgumentError",
         "foreign": "SenderIdMismatchError", "large": "too big", "topic": "no topics"},
    )


def fcm_pyfcm():
    return fcm(
        "pyfcm", ["pyfcm==2.1.1"],
        {"gone": "FCMNotRegisteredError", "unknown": "InvalidDataError",
         "foreign": "FCMSenderIdMismatchError", "large": "too big"},
    )


def fcm_google_auth():
    return fcm(
        "google_auth", ["google-auth>=2.38", "requests>=2.31"],
        {"gone": "404 UNREGISTERED", "unknown": "400 INVALID_ARGUMENT",
         "foreign": "403 SENDER_ID_MISMATCH", "number": "400 INVALID_ARGUMENT",
         "scope": "invalid_scope", "stranger": "invalid_grant"},
    )


# Web Push.


def web_push(name, packages, versions, refusals):
    import base64

    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    interpreter = environment(name, packages, versions)
    with simulator("webpush") as (running, folder):
        key_path, public_pem = signing_key(folder)
        public_path = os.path.join(folder, "public.pem")
        with open(public_path, "w") as file:
            file.write(public_pem)
        with open(key_path, "rb") as file:
            key = serialization.load_pem_private_key(file.read(), None)

        def encode(data):
            return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

        def application_server_key(key):
            return encode(
                key.public_key().public_bytes(
                    serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
                )
            )

        def subscribe(key):
            return running.call(
                "POST", "subscriptions", {"application_server_key": application_server_key(key)}
            )

        gone = subscribe(key)
        running.call("DELETE", "subscriptions/" + gone["endpoint"].rsplit("/", 1)[1])
        unknown = dict(gone, endpoint=running.origin + "/push/nobody")
        facts = {
            "subscriptions": [subscribe(key) for _ in range(5)], "gone": gone, "unknown": unknown,
            "foreign": subscribe(ec.generate_private_key(ec.SECP256R1())),
            "private_key": key_path, "public_key": public_path,
            "private_scalar": encode(key.private_numbers().private_value.to_bytes(32, "big")),
        }
        report = run(interpreter, name, facts, running.authority)
        records = running.accepted()
        compare(records, report, lambda record: record["content"])
        compare_refusals(report, refusals)
        # What makes these clients different: the port is missing in what they sign.
        check({record["audience"] for record in records} == {"https://127.0.0.1"}, records[0])
        return f"{len(report['sent'])} messages decrypted; {', '.join(refusals)} refused"


def webpush_webpush():
    return web_push(
        "webpush", ["webpush==1.0.6", "requests>=2.31"], ["3.11", "3.12"],
        {"gone": "410 Unsubscribed", "unknown": "404 NoSuchSubscription",
         "foreign": "403 VapidPkHashMismatch", "large": "413 PayloadTooLarge"},
    )


def webpush_webpush_rs():
    return web_push(
        "webpush_rs", ["webpush-rs==0.1.4"], RECENT,
        {"gone": "410", "unknown": "404", "foreign": "403"},
    )
