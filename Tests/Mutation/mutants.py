#!/usr/bin/env python3
"""mutants [--seed N …] [--count 50]: do the tests hold the rules?

Draws small changes to the modules that decide who gets what and when (`<` for `<=`, `+` for `-`, 30
for 31, `&&` for `||`), makes one after the other and tells which make no test fail. All of them are
built at once, into a copy of the project, and switched on by the environment; nothing of yours is
written to. The tests of a module run first, then those that depend on it, until the first failure.

What survives is a rule that no test states, or a change that changes nothing; that is for a person
to tell. Needs Python 3.9, a Swift toolchain, and on two processors about an hour for fifty."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import sites
import switches

SERVICES = ["SendsTests", "InAppMessagesTests", "DeliveryTests", "JourneysTests", "CampaignsTests"]
CONTENT = ["ContentFilesTests", "ContentTests", "MessageContentTests"]
PEOPLE = ["UsersTests", "NewsTests", "DraftsTests", "AccountsTests", "CredentialsTests"]
WHOLE = ["DevicesTests", "PhonesTests", "APITests", "ConsoleTests", "ServerTests", "SystemTests"]

# The suites that hold each module, those that know it best first.
MODULES = {
    "Core/Scheduling": ["SchedulingTests", "StoreSQLTests", *SERVICES, *WHOLE],
    "Core/Segments": [
        "SegmentsTests",
        "StoreSQLTests",
        "AudienceTests",
        *SERVICES,
        *CONTENT,
        *WHOLE,
    ],
    "Services/Campaigns": ["CampaignsTests", *SERVICES[:-1], *CONTENT, *WHOLE],
    "Services/Delivery": ["DeliveryTests", "SendsTests", "CampaignsTests", *WHOLE],
    "Services/Ingestion": ["IngestionTests", "ContentFilesTests", *WHOLE],
    "Stores/StoreSQL": [
        "StoreSQLTests",
        "IngestionTests",
        *SERVICES,
        "AudienceTests",
        *CONTENT,
        *PEOPLE,
        *WHOLE,
    ],
}

# Bytes of a process that tests run in; without a change they need a third of it.
MEMORY = 6 << 30

FAILURE = re.compile(r"^\S+ Test (.+?) recorded an issue")
ERROR = re.compile(r"^(/.+?):(\d+):\d+: error: (.*)$", re.MULTILINE)


def say(text):
    print(text, file=sys.stderr, flush=True)


def tracked(root):
    """The project's files, those that are not committed yet included."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return [name for name in listing.split("\0") if name and (root / name).is_file()]


def put(path, content, mode=None):
    """Writes a file that differs, so that only what has changed is built again."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if mode is not None:
        path.chmod(mode)


class Tree:
    """The copy that is changed and built."""

    def __init__(self, root, folder):
        self.root = root
        self.folder = folder

    def write(self, chosen):
        """Brings the copy up to date, with switches for the chosen sites."""
        changed = self.changed(chosen)
        wanted = set(changed)
        for name, text in changed.items():
            put(self.folder / name, text.encode())
        for name in tracked(self.root):
            if name not in changed:
                wanted.add(name)
                source = self.root / name
                put(self.folder / name, source.read_bytes(), source.stat().st_mode)
        for folder in ("Sources", "Tests"):
            for path in (self.folder / folder).rglob("*.swift"):
                if path.relative_to(self.folder).as_posix() not in wanted:
                    path.unlink()

    def changed(self, chosen):
        """The files that have switches."""
        by_path = {}
        by_module = {folder.rpartition("/")[2]: [] for folder in MODULES}
        for site in sorted(chosen, key=lambda site: site.number):
            by_path.setdefault(site.path, []).append(site)
            by_module[site.module].append(site)
        files = {}
        self.lines = {}
        for name, members in by_path.items():
            text = (self.root / name).read_text()
            files[name], self.lines[name] = switches.rewrite(text, members)
        for folder in MODULES:
            members = by_module[folder.rpartition("/")[2]]
            files[f"Sources/{folder}/{switches.FILE}"] = switches.module_file(
                members, self.imports_foundation(folder)
            )
        return files

    def imports_foundation(self, folder):
        return any(
            "import Foundation\n" in path.read_text()
            for path in (self.root / "Sources" / folder).rglob("*.swift")
        )

    def blame(self, output, folder):
        """The sites at which the compiler found errors in the files of `folder`."""
        guilty = set()
        for match in ERROR.finditer(output):
            path, line = pathlib.Path(match.group(1)), int(match.group(2))
            try:
                name = path.relative_to(folder).as_posix()
            except ValueError:
                continue
            if path.name == switches.FILE:
                continue
            spans = self.lines.get(name, [])
            owners = [site.number for first, last, site in spans if first <= line <= last]
            # An error of a statement is reported where it begins.
            after = [site.number for first, _, site in spans if line < first <= line + 12]
            guilty.update(owners or after[:1])
        return guilty

    def refused(self, chosen):
        """The sites that the compiler refuses, found out beside the copy, so that no file of it gets
        another date; nothing where the project has not been built there before."""
        manifest = self.folder / ".build/debug.yaml"
        files = self.changed(chosen)
        paths = {name: self.folder / name for name in files}
        if not manifest.is_file() or all(
            path.is_file() and path.read_text() == files[name] for name, path in paths.items()
        ):
            return set()
        steps = manifest.read_text()
        guilty = set()
        with tempfile.TemporaryDirectory() as temporary:
            draft = pathlib.Path(temporary).resolve()
            for name, text in files.items():
                put(draft / name, text.encode())
            for folder in MODULES:
                name = folder.rpartition("/")[2]
                step = steps.partition(f'description: "Compiling Swift Module \'{name}\'')[2]
                given = re.search(r"^    args: (\[.*\])$", step, re.MULTILINE)
                if given:
                    arguments = self.arguments(json.loads(given.group(1)), folder, draft)
                    result = subprocess.run(
                        arguments, cwd=self.folder, capture_output=True, text=True, check=False
                    )
                    guilty |= self.blame(result.stderr, draft)
        return guilty

    def arguments(self, given, folder, draft):
        """The compiler's, which only looks and builds nothing."""
        keeps = {"-module-name", "-I", "-target", "-Xcc", "-swift-version", "-package-name"}
        keeps |= {"-enable-upcoming-feature", "-module-cache-path", "-sdk"}
        arguments = [given[0], "-typecheck", "-parse-as-library", "-diagnostic-style", "llvm"]
        for option, value in zip(given, given[1:] + [""]):
            if option in keeps:
                arguments += [option, value]
            elif option.startswith("-D"):
                arguments.append(option)
        for path in (self.root / "Sources" / folder).rglob("*.swift"):
            name = path.relative_to(self.root)
            arguments.append(str(draft / name if (draft / name).is_file() else path))
        return [*arguments, str(draft / "Sources" / folder / switches.FILE)]

    def build(self):
        flags = os.environ.get("NOROSHI_BUILD_FLAGS", "").split()
        return subprocess.run(
            ["swift", "build", "--build-tests", *flags],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


def build(tree, drawn, count, is_built):
    """Builds switches for the first sites of every draw that compile.

    Returns the chosen sites of each draw.
    """
    known = tree.folder / ".build/refused-mutants.json"
    refused = set(json.loads(known.read_text())) if known.is_file() else set()

    def is_good(site):
        return site.key not in refused

    while True:
        chosen = {seed: list(filter(is_good, order))[:count] for seed, order in drawn.items()}
        if is_built:
            break
        everything = {site.number: site for order in chosen.values() for site in order}
        guilty = tree.refused(everything.values())
        if not guilty:
            tree.write(everything.values())
            say(f"Building {len(everything)} changes; the first build takes many minutes …")
            result = tree.build()
            if result.returncode == 0:
                break
            guilty = tree.blame(result.stdout, tree.folder)
            if not guilty:
                say(result.stdout[-4000:])
                sys.exit("The build failed for another reason than a change.")
        say(f"{len(guilty)} changes do not compile, and others take their place.")
        refused |= {everything[number].key for number in guilty}
        known.parent.mkdir(exist_ok=True)
        known.write_text(json.dumps(sorted(refused)))
    for seed, order in drawn.items():
        last = max(order.index(site) for site in chosen[seed]) + 1
        say(f"Seed {seed}: {last} drawn, {last - len(chosen[seed])} of them do not compile.")
    return chosen


class Runner:
    """Runs tests of the copy, those that a change could make a difference to."""

    def __init__(self, folder):
        self.folder = folder
        self.program = folder / ".build/debug/noroshiPackageTests.xctest"
        # By suite and type of tests: how long it takes, and the changes it could notice.
        self.times = {}
        self.reached = {}

    def command(self, *options):
        return [str(self.program), "--testing-library", "swift-testing", *options]

    def types(self):
        """The types of tests of every suite."""
        listing = subprocess.run(
            self.command("--list-tests"), cwd=self.folder, capture_output=True, check=True, text=True
        ).stdout
        types = {}
        for line in listing.splitlines():
            suite, _, test = line.partition(".")
            kind = test.partition("/")[0] if "/" in test else ""
            if kind != "StrangerTests" or suite != "SystemTests":
                types.setdefault(suite, set()).add(kind)
        return types

    def run(self, suite, types, limit, setting):
        """The name of the first test that fails, or `None`."""
        # Functions that stand in no type have no slash behind their name.
        patterns = [rf"{kind}/" if kind else r"[^/]*$" for kind in types]
        environment = dict(os.environ) | setting
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
            environment["TMPDIR"] = temporary
            process = subprocess.Popen(
                self.command("--filter", rf"^{suite}\.({'|'.join(patterns)})"),
                cwd=self.folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            limit_memory(process)
            is_late = threading.Event()

            def stop():
                is_late.set()
                end(process)

            timer = threading.Timer(limit, stop)
            timer.start()
            last = ""
            try:
                for line in process.stdout:
                    last = line.strip() or last
                    found = FAILURE.match(line)
                    if found:
                        return f"{suite}: {found.group(1)}"
                code = process.wait()
            finally:
                timer.cancel()
                end(process)
        if is_late.is_set():
            return f"{suite}: not done after {limit:.0f} s"
        if code != 0:
            return f"{suite}: ended with {code}: {last}"
        return None

    def look(self, suite, kind, count):
        """Runs a type of tests without a change, and learns which changes it could notice."""
        with tempfile.NamedTemporaryFile() as marks:
            marks.write(bytes(count + 1))
            marks.flush()
            began = time.monotonic()
            failure = self.run(suite, [kind], 1800, {switches.MARKS: marks.name})
            if failure:
                sys.exit(f"It fails without a change already: {failure}")
            self.times[suite, kind] = time.monotonic() - began
            content = pathlib.Path(marks.name).read_bytes()
        self.reached[suite, kind] = {number for number, byte in enumerate(content) if byte}

    def killer(self, site, suites):
        """The first test of the suites that notices the change, or `None`."""
        for suite in suites:
            types = [
                kind
                for (owner, kind), numbers in sorted(self.reached.items())
                if owner == suite and site.number in numbers
            ]
            if types:
                limit = 60 + 6 * sum(self.times[suite, kind] for kind in types)
                failure = self.run(suite, types, limit, {switches.VARIABLE: str(site.number)})
                if failure:
                    return failure
        return None

    def is_reached(self, site):
        return any(site.number in numbers for numbers in self.reached.values())


def limit_memory(process):
    """A change may take memory without end, which must not take the machine's."""
    if hasattr(resource, "prlimit"):
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (MEMORY, MEMORY))


def end(process):
    """Ends a process and what it has started, which may have groups of their own."""
    if process.poll() is not None:
        return
    listing = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=False
    ).stdout
    children = {}
    for line in listing.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    family = [process.pid]
    for member in family:
        family += children.get(member, [])
    for member in family:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def main():
    parser = argparse.ArgumentParser(prog="./noroshi mutants", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seed", type=int, action="append", help="which draw; may be repeated")
    parser.add_argument("--count", type=int, default=50, help="how many changes a draw has")
    parser.add_argument("--only", type=int, action="append", help="the number of one change to run")
    parser.add_argument("--list", action="store_true", help="shows the draw and builds nothing")
    parser.add_argument("--copy", type=pathlib.Path, help="where the copy is (.build-mutants)")
    parser.add_argument("--own", action="store_true", help="runs only the module's own tests")
    parser.add_argument("--no-build", action="store_true", help="runs what was built last")
    parser.add_argument("--build-only", action="store_true", help="builds and runs nothing")
    parser.add_argument("--jobs", type=int, default=2, help="how many run at a time (2)")
    options = parser.parse_args()

    root = pathlib.Path(__file__).resolve().parents[2]
    folder = (options.copy or root / ".build-mutants").resolve()
    if folder == root:
        sys.exit("The copy would be the project itself.")
    found = sites.of_tree(root, MODULES)
    drawn = {seed: list(sites.draw(found, seed)) for seed in options.seed or [1]}
    if options.list:
        for seed, order in drawn.items():
            for site in order[: options.count]:
                print(f"{seed} {site.number} {site}")
        return
    folder.mkdir(parents=True, exist_ok=True)
    chosen = build(Tree(root, folder), drawn, options.count, options.no_build)
    if options.build_only:
        return
    runner = Runner(folder)
    look(runner, {s.module for order in chosen.values() for s in order}, len(found), options)
    for seed, order in chosen.items():
        considered = [s for s in order if not options.only or s.number in options.only]
        survivors = hunt(runner, considered, options)
        killed = len(considered) - len(survivors)
        print(f"Seed {seed}: of {len(considered)} changes {killed} made a test fail.")
        for site in survivors:
            remark = "" if runner.is_reached(site) else "  (makes no difference in any test)"
            print(f"  survived: {site.number}  {site}{remark}")


def suites_of(module):
    return next(names for folder, names in MODULES.items() if folder.endswith("/" + module))


def look(runner, modules, count, options):
    """Learns which tests could notice which changes."""
    suites = {s for m in modules for s in suites_of(m)[: 1 if options.own else None]}
    types = runner.types()
    pairs = [(suite, kind) for suite in sorted(suites) for kind in sorted(types[suite])]
    say(f"Running {len(pairs)} types of tests without a change …")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda pair: runner.look(*pair, count), pairs))


def hunt(runner, considered, options):
    """Runs the tests for every site, and returns those that none has noticed."""
    # The module's own tests know it best; only what they leave is worth the minutes of the others.
    stages = [slice(0, 1), slice(1, None)]
    for stage in stages[:1] if options.own else stages:

        def killer(site, stage=stage):
            killer = runner.killer(site, suites_of(site.module)[stage])
            if killer:
                print(f"{site.number:5}  {site}\n       {killer}", flush=True)
            return killer

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            killers = list(pool.map(killer, considered))
        considered = [site for site, killer in zip(considered, killers) if not killer]
        say(f"{len(considered)} are left.")
    return considered


if __name__ == "__main__":
    main()
