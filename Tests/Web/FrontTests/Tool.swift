import Foundation

/// A program of the system, which knows nothing of this one.
enum Tool: String {
    case openssl, curl

    struct Answer {
        var status: Int32
        var output: String
    }

    private var path: String? {
        ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + rawValue }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static var areInstalled: Bool { openssl.path != nil && curl.path != nil }

    /// Waits without a thread: the server under test needs them.
    @discardableResult
    func run(_ arguments: [String], in folder: URL, input: Pipe? = nil) async throws -> Answer {
        let output = folder.appending(path: "output-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = Process()
        process.executableURL = URL(filePath: path ?? "")
        process.currentDirectoryURL = folder
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        process.standardInput = input ?? FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in end.resume() }
            do { try process.run() } catch { end.resume(throwing: error) }
        }
        return Answer(
            status: process.terminationStatus,
            output: try String(contentsOf: output, encoding: .utf8)
        )
    }
}
