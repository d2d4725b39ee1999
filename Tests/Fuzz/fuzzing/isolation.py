"""A network of our own with nothing but loopback: whatever is made up, nothing goes out."""

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys

MARK = "NOROSHI_FUZZ_ISOLATED"
# Linux's requests to read and set an interface's flags.
READ_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1


def enter(say):
    """Starts this program again in a network namespace, where the system allows that."""
    if os.environ.get(MARK) or not sys.platform.startswith("linux"):
        return
    unshare = shutil.which("unshare")
    for arguments in (["--net"], ["--net", "--map-root-user"]):
        if unshare and can(unshare, arguments):
            os.environ[MARK] = "new"
            os.execv(unshare, [unshare, *arguments, sys.executable, *sys.argv])
    os.environ[MARK] = "none"
    say("without a network namespace: push services are still stood in for on loopback")


def can(unshare, arguments):
    return subprocess.run([unshare, *arguments, "true"], capture_output=True).returncode == 0


def raise_loopback():
    """A new namespace's loopback interface is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = struct.pack("16sh", b"lo", 0)
        flags = struct.unpack("16sh", fcntl.ioctl(control, READ_FLAGS, asked)[:18])[1]
        fcntl.ioctl(control, SET_FLAGS, struct.pack("16sh", b"lo", flags | UP))


if os.environ.get(MARK) == "new":
    raise_loopback()
    os.environ[MARK] = "up"
