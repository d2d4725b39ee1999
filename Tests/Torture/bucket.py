"""Backups of a server under load into a bucket, over a store that others wrote: moto, which looks at every
signature and every permission.

Between the two is a relay that holds a request when it is told to, so that a backup can be killed in the
middle of an upload. Whatever is killed, nothing but whole backups is listed, the next one leaves nothing
behind, and what is restored is the database of one moment."""
import argparse
import http.client
import http.server
import json
import os
import random
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time

import botocore.session

from backup import EVENTS, PASSPHRASE, Judge, Load

REGION = "eu-central-1"
PART = 16 << 20
# What comes before moto asks for signatures: two users, each with a key and a policy, and the bucket.
SETTING_UP = 7
ALLOWED = ["ListBucket", "ListBucketMultipartUploads", "GetObject", "PutObject", "DeleteObject",
           "AbortMultipartUpload"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Moto:
    """The store, with a user who may do what a backup needs, and one who may only read."""

    def __init__(self, folder):
        self.port = free_port()
        self.log = open(f"{folder}/moto.log", "w")
        self.process = subprocess.Popen(
            [os.path.join(os.path.dirname(sys.executable), "moto_server"), "-H", "127.0.0.1",
             "-p", str(self.port)],
            stdout=self.log, stderr=self.log,
            env={**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": str(SETTING_UP)})
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit("moto did not start")
                time.sleep(0.1)
        self.session = botocore.session.get_session()
        iam = self.client("iam", "setting", "up")
        self.writer = self.user(iam, "writer", ALLOWED)
        self.reader = self.user(iam, "reader", ["ListBucket", "GetObject"])
        self.client("s3", "setting", "up").create_bucket(
            Bucket="tea", CreateBucketConfiguration={"LocationConstraint": REGION})
        self.s3 = self.client("s3", *self.writer)

    @staticmethod
    def user(iam, name, actions):
        iam.create_user(UserName=name)
        key = iam.create_access_key(UserName=name)["AccessKey"]
        iam.put_user_policy(UserName=name, PolicyName="backups", PolicyDocument=json.dumps({
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": [f"s3:{action}" for action in actions],
                           "Resource": "*"}]}))
        return key["AccessKeyId"], key["SecretAccessKey"]

    def client(self, service, key, secret):
        return self.session.create_client(
            service, region_name=REGION, endpoint_url=f"http://127.0.0.1:{self.port}",
            aws_access_key_id=key, aws_secret_access_key=secret)

    def keys(self):
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket="tea", Prefix="house/")
        return {item["Key"]: item["Size"] for page in pages for item in page.get("Contents", [])}

    def uploads(self):
        answer = self.s3.list_multipart_uploads(Bucket="tea")
        return [item["Key"] for item in answer.get("Uploads", [])]

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


class Relay(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Hands requests on as they are, and holds one when it is told to."""
    daemon_threads = True

    def __init__(self, target):
        super().__init__(("127.0.0.1", 0), RelayHandler)
        self.target = target
        self.lock = threading.Condition()
        self.seen, self.held_at, self.is_held, self.goes_on = 0, None, False, False
        self.parts = self.ranges = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def hold(self, number):
        """Holds the request of this number from now on."""
        with self.lock:
            self.seen, self.held_at, self.is_held, self.goes_on = 0, number, False, False

    def wait(self, process):
        """Until the request is held; false if the process ended without it."""
        while True:
            with self.lock:
                if self.lock.wait_for(lambda: self.is_held, timeout=0.05):
                    return True
            if process.poll() is not None:
                return False

    def release(self, goes_on):
        with self.lock:
            self.held_at, self.goes_on, self.is_held = None, goes_on, False
            self.lock.notify_all()

    def passes(self, path):
        with self.lock:
            self.seen += 1
            self.parts += "partNumber=" in path
            if self.seen != self.held_at:
                return True
            self.is_held = True
            self.lock.notify_all()
            self.lock.wait_for(lambda: not self.is_held)
            return self.goes_on

    def handle_error(self, request, client_address):
        # Whoever was killed reads no answer.
        pass


class RelayHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def relay(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.server.passes(self.path):
            self.close_connection = True
            return
        connection = http.client.HTTPConnection("127.0.0.1", self.server.target, timeout=600)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        data = answer.read()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        connection.close()

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = relay

    def log_message(self, *_):
        pass


class BucketJudge(Judge):
    def __init__(self, binary, folder, moto, relay):
        super().__init__(binary, folder)
        self.moto, self.outputs = moto, []
        self.environment.update(
            NOROSHI_S3_ENDPOINT=relay.url, NOROSHI_S3_REGION=REGION,
            AWS_ACCESS_KEY_ID=moto.writer[0], AWS_SECRET_ACCESS_KEY=moto.writer[1])

    def run(self, *arguments, **environment):
        code, output = super().run(*arguments, **environment)
        self.outputs.append(output)
        return code, output

    def listed(self):
        lines = self.must("backup", "list", "s3://tea/house").splitlines()
        return [line.split(": ")[0] for line in lines]

    def refused(self, what, words, *arguments, **environment):
        code, output = self.run(*arguments, **environment)
        self.expect(what, code and all(word in output for word in words), output)

    def are_whole(self, backups):
        """Whether each backup that is listed has its files, as large as its manifest says."""
        keys = self.moto.keys()
        for backup in backups:
            folder = backup.removeprefix("s3://tea/")
            manifest = json.load(self.moto.s3.get_object(
                Bucket="tea", Key=f"{folder}/backup.json")["Body"])
            self.expect("what is listed is whole", all(
                keys.get(f"{folder}/{name}") == file["bytes"]
                for name, file in manifest["files"].items()), backup)

    def is_tidy(self, backups):
        """Whether the bucket has three objects for each backup and nothing else."""
        keys, uploads = self.moto.keys(), self.moto.uploads()
        self.expect("nothing but whole backups is in the bucket",
                    len(keys) == 3 * backups and not uploads, f"{sorted(keys)} {uploads}")


def rounds(judge, moto, relay, load, chance, options, database):
    create = ("backup", "create", "--database", database, "--to", "s3://tea/house", "--keep", "3")
    kills, listed, rows, most = 0, [], 0, 9
    for number in range(options.backups):
        if number % 2:
            relay.hold(chance.randint(1, most))
            process = judge.start(*create)
            if relay.wait(process):
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
            relay.release(goes_on=chance.random() < 0.5)
            # The store may still be at what it was asked before.
            time.sleep(1)
            judge.are_whole(judge.listed())
        _, before = load.seen()
        backup = judge.must(*create).split(": ")[0]
        after, _ = load.seen()
        listed = judge.listed()
        judge.expect("it is the newest", listed and listed[0] == backup, f"{listed}")
        judge.expect("three stay", len(listed) <= 3, f"{listed}")
        judge.is_tidy(len(listed))
        judge.must("backup", "verify", backup)
        path = f"{judge.folder}/restored-{number}/noroshi.sqlite"
        restore = ("restore", backup, "--database", f"sqlite:{path}")
        if number % 3 == 2:
            relay.hold(chance.randint(1, 5))
            process = judge.start(*restore)
            if relay.wait(process):
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
            relay.release(goes_on=False)
            judge.expect("a killed restore makes no database", not os.path.exists(path))
        judge.restore(backup, path)
        left = set(os.listdir(os.path.dirname(path))) - {
            "noroshi.sqlite", "noroshi.sqlite.key", "noroshi.sqlite.lock", "noroshi.sqlite-wal",
            "noroshi.sqlite-shm"}
        judge.expect("a restore leaves nothing else", not left, f"{left}")
        found = judge.requests(path)
        judge.expect("what was acknowledged before is in it", before <= found,
                     f"{len(before - found)} are not")
        judge.expect("nothing that was sent after is in it", found <= after,
                     f"{len(found - after)} are")
        rows = len(found)
        size = moto.keys()[f"{backup.removeprefix('s3://tea/')}/noroshi.sqlite"]
        most = 8 + size // PART
        print(f"backup {number + 1}: {rows} requests, {size >> 20} MiB, {len(before)} acknowledged"
              f" before, {len(after)} sent until its end", flush=True)
        shutil.rmtree(os.path.dirname(path))
    return backup, rows, kills


def damages(judge, moto, backup, database):
    """What is wrong is named, with what to do about it."""
    key = backup.removeprefix("s3://tea/") + "/noroshi.sqlite"
    judge.refused("a wrong passphrase", ["passphrase"], "backup", "verify", backup,
                  NOROSHI_BACKUP_PASSPHRASE="a wrong passphrase")
    whole = moto.s3.get_object(Bucket="tea", Key=key)["Body"].read()
    moto.s3.put_object(Bucket="tea", Key=key, Body=whole[:-1])
    judge.refused("a cut object", ["noroshi.sqlite has", f"{len(whole)}"], "backup", "verify", backup)
    moto.s3.put_object(Bucket="tea", Key=key, Body=whole[:len(whole) // 2] + b"?"
                       + whole[len(whole) // 2 + 1:])
    judge.refused("a changed object", ["noroshi.sqlite was changed"], "backup", "verify", backup)
    moto.s3.delete_object(Bucket="tea", Key=key)
    judge.refused("a missing object", ["noroshi.sqlite is missing"], "restore", backup,
                  "--database", f"sqlite:{judge.folder}/none/noroshi.sqlite")
    create = ("backup", "create", "--database", database, "--to", "s3://tea/house")
    reader = dict(AWS_ACCESS_KEY_ID=moto.reader[0], AWS_SECRET_ACCESS_KEY=moto.reader[1])
    judge.refused("a key that may only read", ["may not do this", "s3:"], *create, **reader)
    judge.refused("a wrong secret", ["AWS_SECRET_ACCESS_KEY"], *create,
                  AWS_SECRET_ACCESS_KEY="wrong")
    judge.refused("an unknown key", ["AKIDUNKNOWN", "AWS_ACCESS_KEY_ID"], *create,
                  AWS_ACCESS_KEY_ID="AKIDUNKNOWN")
    judge.refused("no bucket", ["no bucket 'coffee'"], "backup", "list", "s3://coffee")
    judge.refused("no store", ["cannot be reached", "s3-endpoint"], "backup", "list", "s3://tea",
                  NOROSHI_S3_ENDPOINT=f"http://127.0.0.1:{free_port()}")
    judge.refused("no credentials", ["s3-credentials-file"], "backup", "list", "s3://tea",
                  AWS_ACCESS_KEY_ID="")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--backups", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        moto = Moto(folder)
        relay = Relay(moto.port)
        judge = BucketJudge(os.path.abspath(options.binary), folder, moto, relay)
        database = f"sqlite:{folder}/noroshi.sqlite"
        key = judge.must("apikey", "create", "--name", "load", "--permissions", "users.track",
                         "--database", database).split()[-1]
        log = open(f"{folder}/server.log", "w+")
        server = subprocess.Popen(
            [judge.binary, "serve", "--database", database, "--listen", "127.0.0.1:0",
             "--track-limit", "10000000", "--request-limit", "10000000",
             "--backup-folder", "s3://tea/scheduled", "--backup-keep", "2"],
            stdout=subprocess.PIPE, stderr=log, text=True, env=judge.environment)
        load = None
        try:
            address = server.stdout.readline().strip().split("//")[-1]
            scheduled = ("backup", "list", "s3://tea/scheduled")
            for _ in range(600):
                if judge.must(*scheduled):
                    break
                time.sleep(0.1)
            first = judge.must(*scheduled).splitlines()
            judge.expect("the server backs itself up", len(first) == 1, f"{first}")
            load = Load(address, key)
            while os.path.getsize(f"{folder}/noroshi.sqlite") < 3 * PART:
                time.sleep(0.5)
            # Large enough: from now on it is about moments.
            load.pause = 0.1
            backup, rows, kills = rounds(judge, moto, relay, load, chance, options, database)
            judge.expect("large files went in parts", relay.parts > options.backups)
            damages(judge, moto, backup, database)
            first_again = judge.must(*scheduled).splitlines()
            judge.expect("backups of others stay", first == first_again, f"{first_again}")
        finally:
            if load:
                load.stop()
            server.terminate()
            server.wait(timeout=60)
            moto.stop()
        log.seek(0)
        texts = [log.read(), *judge.outputs]
        judge.expect("no text has the secret", not any(moto.writer[1] in text for text in texts))
        if judge.faults:
            raise SystemExit(f"{len(judge.faults)} faults")
        print(f"{options.backups} backups under load into a bucket, the last of {rows * EVENTS}"
              f" events, in {relay.parts} parts; {kills} backups and restores were killed")


if __name__ == "__main__":
    main()
