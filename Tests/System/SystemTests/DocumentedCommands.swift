import Foundation
import ServerTesting
import StoreSQL

/// The commands of a document, as one script that a shell runs in a folder of its own: what stands
/// in its blocks, with the paths, addresses and names of a reader replaced by those of the folder.
struct DocumentedCommands {
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// What begins a line of a block that somebody runs.
    private static let programs = [
        "./noroshi ", "noroshi ", "curl ", "openssl ", "sudo ", "docker ",
    ]

    let blocks: [String]

    init(blocks: [String]) {
        self.blocks = blocks
    }

    /// - Parameter path: Of the document, below the root of the repository.
    init(_ path: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        var blocks: [String] = []
        var open: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("```") else {
                open?.append(line)
                continue
            }
            if let lines = open {
                let isRun = lines.contains { line in
                    Self.programs.contains { line.hasPrefix($0) }
                }
                if isRun { blocks.append(lines.joined(separator: "\n")) }
                open = nil
            } else {
                open = []
            }
        }
        self.blocks = blocks
    }

    /// Runs the blocks in their order; the first command that fails ends it.
    ///
    /// - Parameters:
    ///   - preparation: What the reader has, or has done before.
    ///   - replacing: What stands for the reader's own names.
    /// - Returns: What all of it printed, and whether everything succeeded.
    func run(
        in folder: URL,
        preparation: String = "",
        replacing: [(String, String)] = []
    ) throws -> (succeeded: Bool, output: String) {
        var ports: [String: UInt16] = [:]
        let scripts = try blocks.map { block in
            replacing.reduce(try Self.moved(block, &ports)) { $0.replacing($1.0, with: $1.1) }
        }
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = try ServerProcess.program.path
        try Self.stand(for: program).write(
            to: folder.appending(path: "noroshi"),
            atomically: true,
            encoding: .utf8
        )
        try files.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: folder.appending(path: "noroshi").path
        )
        let script =
            Self.beginning + preparation + "\n"
            + scripts.enumerated().map { "echo '--- block \($0 + 1)'\n\($1)" }.joined(
                separator: "\n"
            )
        let file = folder.appending(path: "script.sh")
        try script.write(to: file, atomically: true, encoding: .utf8)
        return try Self.shell(file, folder)
    }

    private static func shell(_ file: URL, _ folder: URL) throws -> (Bool, String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [file.path]
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["HERE"] = folder.path
        environment["PATH"] = folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        let database = try TestDatabase(at: folder.appending(path: "noroshi.sqlite").path)
        environment["NOROSHI_DATABASE"] = database.address
        // That of a file is made beside it.
        if database.location.path == nil {
            environment["NOROSHI_SECRET_KEY_FILE"] = database.keyPath
        }
        environment["NOROSHI_LISTEN"] = "127.0.0.1:0"
        process.environment = environment
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: data, as: UTF8.self))
    }

    /// Folders of the system become folders of the test's, and addresses loopback ones that are free.
    private static func moved(_ block: String, _ ports: inout [String: UInt16]) throws -> String {
        let folders = [
            ("/etc/noroshi", "$HERE/etc"), ("/var/backups/noroshi", "$HERE/backups"),
            ("/var/lib/noroshi", "$HERE/lib"),
        ]
        var text = folders.reduce(block) { $0.replacing($1.0, with: $1.1) }
        let addresses = Set(
            text.matches(of: /(?:127\.0\.0\.1|0\.0\.0\.0|10\.0\.0\.5):([0-9]+)/)
                .map { [String($0.output.0), String($0.output.1)] }
        )
        for address in addresses {
            let port = try ports[address[1]] ?? FreePort.find()
            ports[address[1]] = port
            text.replace(address[0], with: "127.0.0.1:\(port)")
        }
        return text
    }

    /// Stops with the first command that fails, and takes along what was started.
    private static let beginning = """
        set -euo pipefail
        cd "$HERE"
        mkdir -p etc backups lib
        stop() {
            for file in *.pid; do
                [ -f "$file" ] || continue
                kill "$(cat "$file")" 2>/dev/null || true
            done
        }
        trap stop EXIT
        sudo() { "$@"; }
        # A server says its address as soon as it has one, and listens for metrics a little later.
        curl() {
            command curl --fail-with-body --silent --show-error --max-time 60 \\
                --retry 100 --retry-connrefused --retry-delay 1 "$@"
            echo
        }

        """

    /// What stands for `./noroshi`: it runs the program that is built, a server in the background until
    /// the next one, and keeps what was printed last.
    private static func stand(for program: String) -> String {
        """
        #!/bin/bash
        set -euo pipefail
        cd "$HERE"
        kind=$1
        case "$kind" in
            serve) ;;
            simulate) kind=$2 ;;
            *)
                if [ "$kind" = apikey ]; then
                    '\(program)' "$@" | tee last | tee key
                else
                    '\(program)' "$@" | tee last
                fi
                exit
                ;;
        esac
        if [ -f "$kind.pid" ]; then
            kill "$(cat "$kind.pid")"
            while kill -0 "$(cat "$kind.pid")" 2>/dev/null; do sleep 0.05; done
        fi
        rm -f "$kind.out"
        '\(program)' "$@" >"$kind.out" 2>"$kind.err" </dev/null &
        echo $! >"$kind.pid"
        until [ -s "$kind.out" ]; do
            if ! kill -0 "$(cat "$kind.pid")" 2>/dev/null; then
                cat "$kind.err"
                exit 1
            fi
            sleep 0.05
        done
        head -1 "$kind.out"
        """
    }
}
