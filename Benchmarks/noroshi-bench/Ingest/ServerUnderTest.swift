import Foundation

/// A server in a separate process, on a free port.
struct ServerUnderTest {
    let port: Int
    private let process: Process

    /// The server's binary: the given one, or the one beside this program.
    static func binary(_ path: String?) throws -> ExternalTool {
        let own = CommandLine.arguments.first.flatMap(ExternalTool.this)
        let folder = own.map { URL(fileURLWithPath: $0.path).deletingLastPathComponent() }
        let found = path ?? folder?.appendingPathComponent("noroshi-server").path
        guard let found, FileManager.default.isExecutableFile(atPath: found) else {
            throw BenchError("noroshi-server is not built; name it with --server")
        }
        return ExternalTool(path: found)
    }

    /// Starts the server and returns when it responds.
    init(_ binary: ExternalTool, arguments: [String]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: binary.path)
        process.arguments = ["serve", "--listen", "127.0.0.1:0"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchError("the server ended at once: \(text)") }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let line = text.split(separator: "\n").first,
            let number = line.split(separator: ":").last.flatMap({ Int($0) })
        else { throw BenchError("the server did not name its port: \(text)") }
        port = number
    }

    /// Processor time of the server so far, in seconds; `nil` if the system does not provide it.
    var processorSeconds: Double? {
        guard
            let text = try? String(
                contentsOfFile: "/proc/\(process.processIdentifier)/stat",
                encoding: .utf8
            ),
            let end = text.lastIndex(of: ")")
        else { return nil }
        // After the name in parentheses: fields 3 and following; user and system time are fields 14
        // and 15.
        let fields = text[end...].split(separator: " ").dropFirst()
        let ticks = fields.dropFirst(11).prefix(2).compactMap { Double($0) }
        return ticks.count == 2 ? (ticks[0] + ticks[1]) / Double(sysconf(Int32(_SC_CLK_TCK))) : nil
    }

    /// Peak memory of the server, in bytes; `nil` if the system does not provide it.
    var peakBytes: Int? {
        guard
            let status = try? String(
                contentsOfFile: "/proc/\(process.processIdentifier)/status",
                encoding: .utf8
            ),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return nil }
        return Int(kilobytes).map { $0 * 1024 }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
