import Foundation

/// A program of the system for comparison in a benchmark.
struct ExternalTool {
    let path: String

    /// Finds a program in the usual places; `nil` if it is not installed.
    static func find(_ name: String) -> ExternalTool? {
        let search = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for folder in search.map(String.init) + ["/usr/sbin", "/usr/local/bin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) {
                return ExternalTool(path: path)
            }
        }
        return nil
    }

    /// This program, for measurements in a separate process.
    static func this(_ argument: String) -> ExternalTool? {
        if FileManager.default.isExecutableFile(atPath: argument) {
            return ExternalTool(path: argument)
        }
        return find(argument)
    }

    /// Starts the program, bound to one processor if the system supports it.
    func start(_ arguments: [String], processor: Int?) throws -> Process {
        let process = prepare(arguments, processor: processor)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs the program to its end and returns its output.
    func run(_ arguments: [String], processor: Int?) throws -> String {
        let process = prepare(arguments, processor: processor)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("\(path) ended with \(process.terminationStatus): \(text)")
        }
        return text
    }

    private func prepare(_ arguments: [String], processor: Int?) -> Process {
        let process = Process()
        if let processor, let binder = Self.find("taskset") {
            process.executableURL = URL(fileURLWithPath: binder.path)
            process.arguments = ["-c", String(processor), path] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
        }
        return process
    }
}

/// The reason why a benchmark could not run.
struct BenchError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
