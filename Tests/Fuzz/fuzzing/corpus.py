"""Inputs that are kept: what found a fault once is sent first in every run."""

import hashlib
import json
import os
import re

from . import inputs


class Corpus:
    """A folder of files, one for each case; a case is one or a few inputs in order."""

    def __init__(self, folder):
        self.folder = folder
        self.inputs = []
        if os.path.isdir(folder):
            for name in sorted(os.listdir(folder)):
                if name.endswith(".json"):
                    self.inputs += read(os.path.join(folder, name))

    def add(self, fault, found, seed):
        """Writes a case; its name says what it did."""
        stored = [one.stored() for one in found]
        text = json.dumps(stored, ensure_ascii=False, sort_keys=True)
        mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        words = re.sub(r"[^a-z0-9]+", "-", f"{fault.kind} {found[-1].name}".lower()).strip("-")
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, f"{words[:60]}-{mark}.json")
        if os.path.exists(path):
            return path
        case = {"fault": fault.name, "seed": seed, "inputs": stored}
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
            json.dump(case, file, ensure_ascii=True, indent=1)
            file.write("\n")
        return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return [inputs.restored(one) for one in json.load(file)["inputs"]]
