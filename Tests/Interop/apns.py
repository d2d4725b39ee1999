"""APNs: django-push-notifications sends to our simulator; nghttpd answers our client."""

import json
import os
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
