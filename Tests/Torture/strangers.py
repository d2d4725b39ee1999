#!/usr/bin/env python3
"""What strangers may cost, in full size, against a server process on this machine.

  strangers.py BINARY [--seconds 60] [--signins 64] [--halves 500]

Three things, each with a limit that fails the run:
- wrong sign-ins, so many in a second, from one address and then from ever new ones: requests to
  /users/track meanwhile stay below 50 ms in 99 of 100 cases;
- half-open requests, with and without a key, each with a part of a body of 4 MB: the process grows by
  less than 100 MB, and /health answers;
- SIGTERM in the middle of all of it: the process has ended within 10 seconds.
"""
import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HALF = 4_000_000
faults = []


def judge(what, isGood):
    print(("ok     " if isGood else "FAILED ") + what, flush=True)
    if not isGood:
        faults.append(what)


class Server:
    def __init__(self, binary, folder, *options):
        self.binary = binary
        self.options = ["--database", f"sqlite:{folder}/flood.sqlite"]
        self.key = self.command("apikey", "create", "--name", "flood", "--permissions", "*")
        self.command("member", "create", "--email", "ada@example.org", "--name", "Ada")
        self.process = subprocess.Popen(
            [binary, "serve", *self.options, "--listen", "127.0.0.1:0", "--log-level", "critical",
             "--trusted-proxies", "127.0.0.1", *options],
            stdout=subprocess.PIPE, text=True,
        )
        line = self.process.stdout.readline()
        self.port = int(line.strip().rsplit(":", 1)[1])

    def command(self, *words):
        done = subprocess.run(
            [self.binary, *words, *self.options], capture_output=True, text=True, check=True
        )
        return done.stdout.strip().splitlines()[-1]

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            words = stat.read().rsplit(") ", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


async def read_answer(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    body = await reader.readexactly(int(length[1])) if length else b""
    return int(head.split(b" ", 2)[1]), head.decode(), body.decode()


async def ask(server, text, timeout=30):
    async def go():
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        try:
            writer.write(text.encode())
            return await read_answer(reader)
        finally:
            writer.close()
    return await asyncio.wait_for(go(), timeout)


async def track(server, times, end):
    """One client that stays connected and asks thirty times a second."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    body = '{"attributes": [{"external_id": "u%d", "n": %d}]}'
    number = 0
    while time.monotonic() < end:
        text = body % (number % 100, number)
        number += 1
        start = time.monotonic()
        writer.write(
            (f"POST /users/track HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.key}\r\n"
             f"Content-Length: {len(text)}\r\n\r\n{text}").encode()
        )
        status, _, answer = await read_answer(reader)
        times.append(time.monotonic() - start)
        if status != 201:
            judge(f"/users/track answered {status}: {answer}", False)
        await asyncio.sleep(max(0, 1 / 30 - (time.monotonic() - start)))
    writer.close()


async def sign_in(server, form, email, address, statuses):
    cookie, token = form
    body = f"email={email}&password=wrong{random.random()}&token={token}&back="
    try:
        status, _, _ = await ask(
            server,
            "POST /console/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            f"X-Forwarded-For: {address}\r\nCookie: noroshi_login={cookie}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}",
        )
    except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError) as problem:
        status = type(problem).__name__
    statuses[status] = statuses.get(status, 0) + 1


async def flood(server, seconds, rate, isEverywhere):
    _, head, page = await ask(server, "GET /console/login HTTP/1.1\r\nHost: x\r\n\r\n")
    form = (re.search(r"noroshi_login=([^;]+)", head)[1],
            re.search(r'name="token" value="([^"]+)"', page)[1])
    times, statuses, tasks = [], {}, []
    begin = time.monotonic()
    burnt = server.processor_seconds()
    end = begin + seconds
    clients = [asyncio.create_task(track(server, times, end)) for _ in range(2)]
    number = 0
    while time.monotonic() < end:
        email, address = "ada@example.org", "192.0.2.1"
        if isEverywhere:
            address = ".".join(str(random.randrange(1, 255)) for _ in range(4))
            email = email if number % 2 else f"nobody{number}@example.org"
        tasks.append(asyncio.create_task(sign_in(server, form, email, address, statuses)))
        number += 1
        await asyncio.sleep(max(0, begin + number / rate - time.monotonic()))
    await asyncio.gather(*clients, *tasks)
    times.sort()
    middle, high = times[len(times) // 2], times[len(times) * 99 // 100]
    where = "from everywhere" if isEverywhere else "from one address"
    burnt = (server.processor_seconds() - burnt) / seconds
    judge(
        f"{number} wrong sign-ins {where} in {seconds} s (answers {statuses}): {len(times)} times "
        f"/users/track, median {middle * 1000:.1f} ms, p99 {high * 1000:.1f} ms, "
        f"worst {times[-1] * 1000:.1f} ms, {burnt:.2f} processors",
        high < 0.05,
    )


async def half_open(server, count):
    """Unfinished bodies: half of them with a key, each with as much as the server takes."""
    before = server.memory()
    writers = []

    async def open_one(number):
        key = f"Authorization: Bearer {server.key}\r\n" if number % 2 else ""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writers.append((reader, writer))
            writer.write(
                (f"POST /users/track HTTP/1.1\r\nHost: x\r\n{key}"
                 f"Content-Length: {HALF}\r\n\r\n").encode()
            )
            for _ in range(HALF * 9 // 10 // 65_536):
                writer.write(b" " * 65_536)
                await asyncio.wait_for(writer.drain(), 5)
        except (OSError, asyncio.TimeoutError):
            pass

    top = before
    tasks = [asyncio.create_task(open_one(number)) for number in range(count)]
    healthy = 0
    begin = time.monotonic()
    while any(not task.done() for task in tasks) or time.monotonic() < begin + 10:
        status, _, _ = await ask(server, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n", 5)
        healthy += status == 200
        top = max(top, server.memory())
        await asyncio.sleep(0.1)
    judge(
        f"{count} half-open requests: memory {before:.0f} MB, at most {top:.0f} MB; "
        f"{healthy} times /health",
        top - before < 100 and healthy > 0,
    )
    return writers


async def stop(server, writers):
    """Silent and half requests, trickling bodies and idle connections while the server stops."""
    more = []
    for text in ["", "GET /health HTTP/1.1\r\nHost: x", "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"] * 20:
        pair = await asyncio.open_connection("127.0.0.1", server.port)
        pair[1].write(text.encode())
        more.append(pair)
    for number in range(50):
        pair = await asyncio.open_connection("127.0.0.1", server.port)
        key = f"Authorization: Bearer {server.key}\r\n" if number % 2 else ""
        pair[1].write(
            f"POST /users/track HTTP/1.1\r\nHost: x\r\n{key}Content-Length: 9999\r\n\r\n".encode()
        )
        more.append(pair)
    flooding = asyncio.create_task(flood_on(server))
    start = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    while server.process.poll() is None and time.monotonic() < start + 60:
        for _, writer in writers + more[60:]:
            if not writer.is_closing():
                writer.write(b" ")
        await asyncio.sleep(0.2)
    took = time.monotonic() - start
    flooding.cancel()
    code = server.process.poll()
    judge(f"SIGTERM beside all of it: ended after {took:.1f} s with status {code}", took <= 10)
    if code is None:
        server.process.kill()


async def flood_on(server):
    while True:
        try:
            await ask(server, "POST /console/login HTTP/1.1\r\nHost: x\r\n"
                      "Content-Length: 5\r\n\r\nabcde", 2)
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.05)


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--signins", type=int, default=64)
    parser.add_argument("--halves", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder)
        try:
            await flood(server, options.seconds, options.signins, False)
            await flood(server, options.seconds, options.signins, True)
            writers = await half_open(server, options.halves)
            await stop(server, writers)
        finally:
            if server.process.poll() is None:
                server.process.kill()
            server.process.wait()
    sys.exit(1 if faults else 0)


asyncio.run(main())
