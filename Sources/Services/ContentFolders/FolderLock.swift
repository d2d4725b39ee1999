import Crypto
import Foundation
import JSON
import NoroshiWire

/// Which rows the files of a folder are, and what those were when folder and server last agreed. It is
/// committed with the files.
struct FolderLock: Equatable {
    struct Entry: Equatable {
        /// `nil` for what a workspace has one of, and for catalogs, which are found by their names.
        var id: String?
        /// The identifiers inside, by the paths of names.
        var parts: [String: String] = [:]
        /// Of the row as it was on both sides.
        var digest: String

        init(id: String? = nil, parts: [String: String] = [:], digest: String) {
            self.id = id
            self.parts = parts
            self.digest = digest
        }

        /// - Parameters:
        ///   - line: What a file says.
        ///   - row: What both sides say.
        init(of line: [String: JSONValue], agreed row: JSONValue) {
            self.init(
                id: line["id"]?.stringValue,
                parts: FolderIdentities.removed(from: .object(line)).parts,
                digest: FolderLock.digest(of: row)
            )
        }
    }

    /// By path.
    var entries: [String: Entry] = [:]

    init() {}

    /// - Throws: `FolderProblem`.
    init(_ text: String) throws(FolderProblem) {
        let problem = FolderProblem(FolderLayout.lock, .badLock)
        guard case .object(let members)? = try? JSONReader.read(Array(text.utf8)),
            members["version"] == 1, case .object(let files)? = members["files"]
        else { throw problem }
        for (path, value) in files {
            guard let digest = value.objectValue?["digest"]?.stringValue else { throw problem }
            let parts = value.objectValue?["parts"]?.objectValue ?? [:]
            entries[path] = Entry(
                id: value.objectValue?["id"]?.stringValue,
                parts: parts.compactMapValues(\.stringValue),
                digest: digest
            )
        }
    }

    var text: String {
        let files = entries.mapValues { entry in
            var members: [String: JSONValue] = ["digest": .string(entry.digest)]
            members["id"] = entry.id.map(JSONValue.string)
            if !entry.parts.isEmpty {
                members["parts"] = .object(entry.parts.mapValues(JSONValue.string))
            }
            return JSONValue.object(members)
        }
        return JSONLayout(width: 60, first: ["version", "id"])
            .text(.object(["version": 1, "files": .object(files)]))
    }

    static func digest(of value: JSONValue) -> String {
        SHA256.hash(data: Data(JSONWriter.text(value).utf8)).prefix(8)
            .map { String(format: "%02x", $0) }.joined()
    }
}
