"""APNs: aioapns and django-push-notifications send to our simulator; nghttpd answers our client."""

import asyncio
import json
import os
import ssl
import subprocess
import tempfile
import time

from support import BIN, check, free_port, need, signing_key, simulator

TEAM, KEY, TOPIC = "TEAM123456", "KEY1234567", "jp.example.fires"


def prepare(running, folder):
    key_path, public = signing_key(folder)
    running.call("POST", "keys", {"team_id": TEAM, "key_id": KEY, "public_key": public})
    token = running.call("POST", "devices", {"topic": TOPIC, "environment": "production"})["token"]
    return key_path, token


def apns_aioapns():
    from aioapns import APNs, NotificationRequest

    with simulator("apns") as (running, folder):
        key_path, token = prepare(running, folder)
        tokens = [token] + [
            running.call("POST", "devices", {"topic": TOPIC})["token"] for _ in range(99)
        ]
        gone = running.call("POST", "devices", {"topic": TOPIC})["token"]
        running.call("DELETE", f"devices/{gone}")
        context = ssl.create_default_context(cafile=running.authority)

        async def send():
            # Only the address and the trusted authority differ from a sender to Apple.
            client = APNs(
                key=open(key_path).read(), key_id=KEY, team_id=TEAM, topic=TOPIC,
                use_sandbox=False, ssl_context=context, max_connections=1,
            )
            client.pool.protocol_class = type(
                "Here", (client.pool.protocol_class,),
                {"APNS_SERVER": "127.0.0.1", "APNS_PORT": running.port},
            )

            async def one(device, body):
                return await client.send_notification(
                    NotificationRequest(
                        device_token=device, message={"aps": {"alert": body}}, time_to_live=3600
                    )
                )

            first = await one(tokens[0], "first")
            rest = await asyncio.gather(*(one(device, "more") for device in tokens[1:]))
            dead = await one(gone, "gone")
            return [first, *rest], dead

        results, dead = asyncio.run(asyncio.wait_for(send(), 60))
        check(all(result.is_successful for result in results), [r.description for r in results])
        check(dead.status == "410" and dead.description == "Unregistered", dead.description)
        accepted = running.accepted()
        check(len(accepted) == 100, f"{len(accepted)} accepted")
        check({record["id"] for record in accepted} == {r.notification_id for r in results}, "ids")
        last = running.call("GET", "accepted?after=99")
        check(last == accepted[99:], "the pushes after the ninety-ninth")
        own = running.call("GET", f"accepted?address={tokens[5]}")
        check([record["token"] for record in own] == [tokens[5]], own)
        return "100 accepted over one connection, a removed app answered 410"


def apns_django():
    with simulator("apns") as (running, folder):
        key_path, token = prepare(running, folder)
        # The library (3.3) hands the configured path to aioapns as if it were the key, so the key
        # goes in through the argument it has for credentials.
        key_text = open(key_path).read()
        script = f"""
import ssl, django
from django.conf import settings
settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "push_notifications"],
    DATABASES={{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", USE_TZ=True, SECRET_KEY="x",
    PUSH_NOTIFICATIONS_SETTINGS={{
        "CONFIG": "push_notifications.conf.AppConfig",
        "APPLICATIONS": {{"fires": {{
            "PLATFORM": "APNS", "AUTH_KEY_PATH": {key_path!r}, "AUTH_KEY_ID": {KEY!r},
            "TEAM_ID": {TEAM!r}, "TOPIC": {TOPIC!r}, "USE_SANDBOX": False}}}}}},
)
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
# Only the address and the trusted authority differ from a sender to Apple.
import aioapns.client, aioapns.connection as connection
for name in ("APNsProductionClientProtocol", "APNsDevelopmentClientProtocol"):
    for module in (connection, aioapns.client):
        protocol = getattr(module, name, None)
        if protocol is not None:
            protocol.APNS_SERVER, protocol.APNS_PORT = "127.0.0.1", {running.port}
original = ssl.create_default_context
def trusting(*arguments, **options):
    context = original(*arguments, **options)
    context.load_verify_locations({running.authority!r})
    return context
ssl.create_default_context = trusting
from push_notifications.models import APNSDevice
device = APNSDevice.objects.create(registration_id={token!r}, application_id="fires")
from push_notifications.apns_async import TokenCredentials
device.send_message(
    "from django", badge=2, extra={{"color": "red"}},
    creds=TokenCredentials(key={key_text!r}, key_id={KEY!r}, team_id={TEAM!r}),
)
"""
        result = subprocess.run(
            [os.sys.executable, "-c", script], capture_output=True, text=True, timeout=60
        )
        check(result.returncode == 0, result.stderr[-2000:])
        accepted = running.accepted()
        check(len(accepted) == 1, f"{len(accepted)} accepted: {result.stderr[-500:]}")
        payload = accepted[0]["payload"]
        check(payload["aps"]["badge"] == 2 and payload["color"] == "red", payload)
        return "a device model's push arrived with badge and extra data"


def apns_nghttpd():
    nghttpd = need("nghttpd")
    openssl = need("openssl")
    token = "ab" * 32
    with tempfile.TemporaryDirectory() as folder:
        pages = os.path.join(folder, "pages", "3", "device")
        os.makedirs(pages)
        open(os.path.join(pages, token), "w").close()
        key, certificate = (os.path.join(folder, name) for name in ("key.pem", "cert.pem"))
        subprocess.run(
            [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj",
             "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True, capture_output=True,
        )
        port = free_port()
        server = subprocess.Popen(
            [nghttpd, "-a", "127.0.0.1", "-m", "500", "-d", os.path.join(folder, "pages"),
             str(port), key, certificate], stdout=subprocess.DEVNULL,
        )
        try:
            time.sleep(0.5)
            result = subprocess.run(
                [os.path.join(BIN, "noroshi-bench"), "apns-client", "--port", str(port),
                 "--authority", certificate, "--count", "5000", "--in-flight", "200"],
                capture_output=True, text=True, timeout=120,
            )
            check(result.returncode == 0, result.stderr)
            rate = json.loads(result.stdout)["requestsPerSecond"]
            return f"5,000 pushes answered 200, {rate:.0f}/s"
        finally:
            # nghttpd does not heed SIGTERM.
            server.kill()
            server.wait(timeout=10)
