"""A folder of facts, as DuckDB reads it."""
import hashlib
import json
import os
import urllib.request

import duckdb


class Folder:
    def __init__(self, path):
        self.path = path
        self.files = f"{path}/facts-*.ndjson"
        with open(f"{path}/manifest.json") as file:
            self.manifest = json.load(file)
        self.names = [entry["name"] for entry in self.manifest["files"]]
        self.lines = {}
        for name in self.names:
            with open(f"{path}/{name}") as file:
                for line in file:
                    self.lines[json.loads(line)["number"]] = json.loads(line)
        self.count = len(self.lines)

    def rows(self, sql):
        return duckdb.connect().execute(sql).fetchall()

    def check(self):
        faults = []
        source = f"read_json('{self.files}', format='newline_delimited', " \
                 "columns={number: 'BIGINT', kind: 'VARCHAR'}, filename=true)"
        doubled = self.rows(f"SELECT number, count(*) FROM {source} GROUP BY 1 HAVING count(*) > 1")
        faults += [f"{self.path}: the number {number} is there {count} times"
                   for number, count in doubled]
        here = sorted(name for name in os.listdir(self.path) if name.startswith("facts-"))
        if here != sorted(self.names):
            faults.append(f"{self.path}: files {here}, but the manifest says {self.names}")
        found = {os.path.basename(name): rest for name, *rest in self.rows(
            f"SELECT filename, count(*), min(number), max(number) FROM {source} GROUP BY 1")}
        last = 0
        for entry in self.manifest["files"]:
            with open(f"{self.path}/{entry['name']}", "rb") as file:
                data = file.read()
            said = [entry["rows"], entry["first"], entry["last"]]
            if found.get(entry["name"]) != said or len(data) != entry["bytes"] \
                    or hashlib.sha256(data).hexdigest() != entry["sha256"]:
                faults.append(f"{self.path}: {entry} is not so: {found.get(entry['name'])}")
            if entry["first"] <= last:
                faults.append(f"{self.path}: {entry['name']} is before the file before it")
            last = entry["last"]
        if self.manifest["position"] < last:
            faults.append(f"{self.path}: the position is before the last fact")
        return faults

    def compare(self, whole):
        """What was written at the end is what was followed, without what was deleted since."""
        missing = [number for number in whole.lines if number not in self.lines]
        faults = [f"{len(missing)} facts are missing, as {whole.lines[missing[0]]}"] if missing else []
        named = ("user_id", "external_id", "reason", "provider_id", "due_at", "device_id")
        for number, fact in whole.lines.items():
            mine = dict(self.lines.get(number, fact))
            if fact["kind"] == "user" and fact["time"] < mine["time"]:
                mine["time"] = fact["time"]  # Merged with somebody who was seen earlier.
            wrong = [name for name in fact if name not in named and mine.get(name) != fact[name]]
            if wrong and fact["kind"] not in ("message_anonymized", "send"):
                faults.append(f"{number} was {mine} and is {fact}")
        return faults

    def compare_with_http(self, server):
        position, seen = 0, {}
        while True:
            request = urllib.request.Request(
                f"http://127.0.0.1:{server.port}/facts?after={position}&limit=777",
                headers={"Authorization": f"Bearer {server.key}"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                for line in answer.read().decode().splitlines():
                    fact = json.loads(line)
                    if fact["number"] in seen:
                        return [f"{fact['number']} came twice over HTTP"]
                    seen[fact["number"]] = fact
                position = int(answer.headers["Noroshi-Position"])
                if answer.headers["Noroshi-End"] == "true":
                    break
        # The audit log may have grown since; nothing else.
        more = [fact for number, fact in seen.items() if number not in self.lines
                and fact["kind"] != "audit"]
        less = [number for number in self.lines if number not in seen]
        other = [number for number in self.lines if number in seen and seen[number] != self.lines[number]]
        return [f"over HTTP {len(more)} more, {len(less)} less, {len(other)} other facts"
                f" {more[:1]}"] if more or less or other else []
