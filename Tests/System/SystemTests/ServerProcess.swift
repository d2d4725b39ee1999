import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The server as a process of its own, which can be killed.
final class ServerProcess: Sendable {
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// Where `swift build` put the products: beside the bundle of the tests.
    private static var products: URL {
        get throws {
            let build = URL(filePath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: ".build")
            let folders = [
                Bundle.main.bundleURL,
                URL(filePath: CommandLine.arguments[0])
                    .deletingLastPathComponent(), build.appending(path: "debug"),
            ]
            for folder in folders
            where FileManager.default.isExecutableFile(
                atPath: folder.appending(path: "noroshi-server").path
            ) {
                return folder
            }
            throw Problem(description: "noroshi-server is not built; run swift build first")
        }
    }

    /// The program that is built.
    static var program: URL {
        get throws { try products.appending(path: "noroshi-server") }
    }

    let pid: Int32
    let address: String

    /// Starts the server and returns when it answers.
    ///
    /// - Parameter fileBlocks: How large a file may become, in the shell's blocks; it may be lifted.
    init(arguments: [String], fileBlocks: Int? = nil) throws {
        let process = Process()
        let program = try Self.program
        if let fileBlocks {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments =
                ["-c", "ulimit -S -f \(fileBlocks); exec \"$0\" \"$@\"", program.path, "serve"]
                + arguments
        } else {
            process.executableURL = program
            process.arguments = ["serve"] + arguments
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        pid = process.processIdentifier
        var text = ""
        while !text.contains("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else {
                throw Problem(description: "the server ended before it answered: \(text)")
            }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let start = text.range(of: "http://") else {
            throw Problem(description: "the server said: \(text)")
        }
        address = text[start.lowerBound...].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Starts a server that may have to wait for another one, and returns at once.
    ///
    /// - Parameter port: Where it listens, as a server does that waits.
    init(waitingAt port: UInt16, arguments: [String]) throws {
        let process = Process()
        process.executableURL = try Self.program
        process.arguments = ["serve", "--listen", "127.0.0.1:\(port)"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        pid = process.processIdentifier
        address = "http://127.0.0.1:\(port)"
    }

    /// Ends the process at once, wherever it is.
    func kill() {
        _ = Foundation.kill(pid, SIGKILL)
    }

    /// Asks the process to stop, as an operator does.
    func terminate() {
        _ = Foundation.kill(pid, SIGTERM)
    }

    /// Whether the process is gone, or waits only for somebody to ask how it ended.
    var hasEnded: Bool {
        guard Foundation.kill(pid, 0) == 0 else { return true }
        let path = "/proc/\(pid)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
        return text.contains(") Z ")
    }

    /// Lets files grow again, in the process that runs.
    func liftFileLimit() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["prlimit", "--pid", "\(pid)", "--fsize=unlimited:"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Problem(description: "prlimit failed with \(process.terminationStatus)")
        }
    }

    /// Starts another command of the same binary.
    static func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = try program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs another command of the same binary and returns its last line.
    static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = try program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        guard process.terminationStatus == 0, let last = lines.last else {
            throw Problem(description: "\(arguments) failed: \(lines)")
        }
        return String(last)
    }

    /// Runs another program of the package to its end; its exit status and what it printed.
    static func runProgram(_ name: String, _ arguments: [String]) throws -> (Int32, String) {
        try run(products.appending(path: name), arguments)
    }

    /// The same of a program anywhere.
    static func run(_ program: URL, _ arguments: [String]) throws -> (Int32, String) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Posts JSON and returns the status and the answer.
    func post(_ path: String, key: String, _ json: String) async throws -> (Int, String) {
        try await answer("POST", path, key, Data(json.utf8))
    }

    func get(_ path: String, key: String) async throws -> (Int, String) {
        try await answer("GET", path, key, nil)
    }

    private func answer(
        _ method: String,
        _ path: String,
        _ key: String,
        _ body: Data?
    ) async throws -> (Int, String) {
        guard let url = URL(string: address + path) else {
            throw Problem(description: "no address: \(address + path)")
        }
        // However busy the machine is.
        var request = URLRequest(url: url, timeoutInterval: 600)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = body
        let (data, response) = try await URLSession.shared.data(for: request)
        return (
            (response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self)
        )
    }
}
