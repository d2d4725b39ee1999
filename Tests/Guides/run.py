#!/usr/bin/env python3
"""Compiles the Swift code of the public guides, byte for byte, against this SDK, and runs it.

The guides belong to others and are not a part of this repository: the folder that holds them is the
argument, or `../shared/guides` beside the repository. Without one there is nothing to do.

A file in Sources ends in `.swift.in`. In it `//cut 003:26` stands for the block that begins in line 26
of guide 003, up to the brace that closes it, and `//cut 002:63-69` for those lines; `//bend A => B` says
what is written otherwise, and why is said beside it. The prefix ABK is Noroshi's."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def block(lines, first):
    """The lines from `first` on to the brace that closes the first one opened."""
    depth = 0
    for number in range(first - 1, len(lines)):
        text = re.sub(r'"(?:\\.|[^"\\])*"|//.*', "", lines[number])
        depth += text.count("{") - text.count("}")
        if "{" in "".join(lines[first - 1 : number + 1]) and depth == 0:
            return lines[first - 1 : number + 1]
    sys.exit(f"line {first} begins no block")


def fill(template, guides):
    bends = [("ABK", "Noroshi")]
    output = []
    for line in template.read_text().split("\n"):
        if match := re.match(r"//bend (.*?) =>(.*)", line):
            bends.append((match[1], match[2].removeprefix(" ")))
            continue
        match = re.match(r"\s*//cut (\d+):(\d+)(?:-(\d+))?$", line)
        if not match:
            output.append(line)
            continue
        lines, first = guides[match[1]], int(match[2])
        cut = lines[first - 1 : int(match[3])] if match[3] else block(lines, first)
        text = "\n".join(cut)
        for before, after in bends:
            text = text.replace(before, after)
        output.append(text)
    return "\n".join(output)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT.parent / "shared/guides")
    guides = {
        file.name[:3]: file.read_text().split("\n") for file in sorted(folder.glob("00[0-4]_*.txt"))
    }
    if len(guides) < 5:
        print(f"The guides are not in {folder}: nothing was compiled.")
        return
    with tempfile.TemporaryDirectory(prefix="noroshi-guides-") as name:
        package = pathlib.Path(name)
        products = ["NoroshiUI", "NoroshiContent", "NoroshiRakuza", "Noroshi"]
        dependencies = ", ".join(
            f'.product(name: "{product}", package: "{ROOT.name.lower()}")' for product in products
        )
        names = sorted(folder.name for folder in (HERE / "Sources").iterdir())
        targets = []
        for target in names:
            (package / "Sources" / target).mkdir(parents=True)
            for file in (HERE / "Sources" / target).iterdir():
                text = fill(file, guides) if file.suffix == ".in" else file.read_text()
                (package / "Sources" / target / file.name.removesuffix(".in")).write_text(text)
            kind = "executableTarget" if target == "GuideApp" else "target"
            own = "".join(f'"{other}", ' for other in names if other != target)
            own = own if target == "GuideApp" else ""
            targets.append(f'.{kind}(name: "{target}", dependencies: [{own}{dependencies}])')
        (package / "Package.swift").write_text(
            "// swift-tools-version: 6.2\nimport PackageDescription\n\n"
            'let package = Package(name: "Guides", platforms: [.iOS(.v15), .macOS(.v12)], '
            f'dependencies: [.package(path: "{ROOT}")], targets: [{", ".join(targets)}], '
            "swiftLanguageModes: [.v5])\n"
        )
        # What was built stays for the next time.
        build = os.environ.get("NOROSHI_GUIDES_BUILD", str(package / ".build"))
        done = subprocess.run(
            ["swift", "run", "--package-path", name, "--scratch-path", build, "GuideApp"]
        )
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
