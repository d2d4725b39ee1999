"""The surfaces by name; each module has one class that makes inputs."""

import importlib

NAMES = {
    "sdk": "SDK",
    "rest": "REST",
    "bodies": "Bodies",
    "console": "Console",
    "segments": "Segments",
    "templates": "Templates",
    "files": "Files",
    "credentials": "Credentials",
    "http": "HTTP",
    "simulators": "Simulators",
    "pushes": "Pushes",
}


def load(name):
    return getattr(importlib.import_module(f".{name}", __name__), NAMES[name])
