"""Virtual environments for clients that want versions of their own."""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

from support import Skip

ENVIRONMENTS = os.environ.get(
    "NOROSHI_CLIENT_ENVIRONMENTS", os.path.join(tempfile.gettempdir(), "noroshi-rest-clients")
)
RECENT = ["3.13", "3.12", "3.11", "3.10"]


def python(versions):
    """An interpreter of one of these versions, as an older client needs it."""
    running = "{}.{}".format(*sys.version_info)
    if running in versions:
        return sys.executable
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    for version in versions:
        installed = glob.glob(os.path.join(pyenv, "versions", f"{version}.*", "bin", "python"))
        for found in [shutil.which(f"python{version}"), *installed]:
            if found and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0:
                return found
    raise Skip(f"needs Python {' or '.join(versions)}")


def environment(name, packages, versions):
    """The interpreter of an environment with these packages, made where it is missing."""
    home = os.path.join(ENVIRONMENTS, name)
    interpreter = os.path.join(home, "bin", "python")
    mark = os.path.join(home, "installed.json")
    wanted = json.dumps([packages, versions])
    if os.path.exists(mark):
        with open(mark) as file:
            if file.read() == wanted:
                return interpreter
    shutil.rmtree(home, ignore_errors=True)
    subprocess.run([python(versions), "-m", "venv", home], check=True)
    done = subprocess.run(
        [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "setuptools<70", *packages],
        capture_output=True, text=True,
    )
    if done.returncode != 0:
        raise Skip(f"{packages[0]} cannot be installed: {done.stderr.strip()[-300:]}")
    with open(mark, "w") as file:
        file.write(wanted)
    return interpreter
