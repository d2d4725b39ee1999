import Foundation
import Reasons

/// A program beside the demo, which ends when this process does, however that ends.
struct CompanionProcess: Sendable {
    /// The number of the program's process.
    let number: Int32
    /// The program is told to end when this end of a pipe closes.
    private let lifeline: FileHandle
    private let output: FileHandle

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - user: Who runs it; this process's account without.
    ///   - folder: Where it runs; its log is there.
    ///   - log: The log's name.
    ///   - signal: What tells it to end.
    /// - Throws: If it cannot be started.
    init(
        _ words: [String],
        as user: [String] = [],
        in folder: URL,
        log: String,
        signal: String = "TERM"
    ) throws {
        let input = Pipe()
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            user + ["sh", "-c", Self.script, "sh", folder.appending(path: log).path, signal] + words
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        lifeline = input.fileHandleForWriting
        // Another companion would keep this one alive.
        _ = fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
        self.output = output.fileHandleForReading
        try process.run()
        try output.fileHandleForWriting.close()
        // Nothing if the shell does not start; what went wrong is in the log then.
        let line = String(decoding: self.output.availableData, as: UTF8.self)
        guard let number = Int32(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw SettingError("servers", .companion, ["program": .text(words[0]), "log": "-"])
        }
        self.number = number
    }

    /// Tells the program to end, and waits until it has.
    func stop() {
        try? lifeline.close()
        // The shell is gone when it has nothing more to say.
        _ = try? output.readToEnd()
    }

    /// Caught signals are as usual again in the program itself.
    private static let script = """
        trap : INT HUP TERM
        log="$1"; signal="$2"; shift 2
        "$@" >>"$log" 2>&1 </dev/null &
        echo $!
        cat >/dev/null
        kill -"$signal" $! 2>/dev/null
        wait $!
        """
}
