import Foundation

/// A program that runs beside this one and prints its address in its first lines.
final class ProgramProcess {
    private let process: Process
    let port: Int

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Starts the program and returns when it has printed its address.
    init(_ path: String, _ arguments: [String]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else {
                throw BenchError("\(arguments.first ?? path) ended at once: \(text)")
            }
            text += String(decoding: data, as: UTF8.self)
        }
        let line = text.prefix { $0 != "\n" }
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw BenchError("\(arguments.first ?? path) said: \(line)")
        }
        self.port = port
    }

    /// Kills it at any point, without a chance to clean up.
    func kill() {
        Foundation.kill(pid, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks it to end, and waits.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
