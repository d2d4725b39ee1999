import Foundation

/// How far an import or export has come, in a file beside the other: after a crash it goes on there.
package struct TransferProgress: Sendable, Codable {
    /// What is transferred; with another file of the same name it begins anew.
    var key: String
    /// Import: the byte behind the last row that is stored. Export: the bytes that are written.
    var offset = 0
    /// Import: the line there. Export: the number of the last row.
    var position = 1
    package var rows = 0
    /// Of these, the rows of which some fields were not stored.
    package var partial = 0
    package var rejected = 0
    /// The bytes of the report of what was not stored.
    var reportBytes = 0

    static func load(_ path: String, key: String) -> TransferProgress? {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
            let progress = try? JSONDecoder().decode(TransferProgress.self, from: data),
            progress.key == key
        else { return nil }
        return progress
    }

    func save(_ path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
