import Foundation
import Reasons

/// Which files of a folder hold which facts. It is replaced by renaming, after the file that it
/// names is whole: what it says is true at any moment.
package struct FactManifest: Sendable, Hashable, Codable {
    package static let name = "manifest.json"

    package struct File: Sendable, Hashable, Codable {
        package var name: String
        /// The numbers of the first and the last fact in it.
        package var first: Int64
        package var last: Int64
        package var rows: Int
        package var bytes: Int
        package var sha256: String
    }

    package var version = 1
    package var workspace: String
    package var format: FactFormat
    /// The kinds in it.
    package var kinds: [String]
    /// All facts up to this number are in the files.
    package var position: Int64 = 0
    package var files: [File] = []

    package init(workspace: String, format: FactFormat, kinds: [String]) {
        self.workspace = workspace
        self.format = format
        self.kinds = kinds
    }

    static func load(_ folder: URL) throws -> FactManifest? {
        let url = folder.appending(path: name)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            return try JSONDecoder().decode(FactManifest.self, from: Data(contentsOf: url))
        } catch let error as DecodingError {
            throw FactExportProblem(
                .unreadable,
                ["path": .text(url.path), "reason": "\(error)"]
            )
        }
    }

    func save(_ folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let path = folder.appending(path: "." + Self.name + ".part").path
        let file = try FactFile(creating: path)
        try file.write(String(decoding: try encoder.encode(self), as: UTF8.self) + "\n")
        _ = try file.finish(as: folder.appending(path: Self.name).path)
    }
}
