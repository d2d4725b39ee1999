import Foundation

/// The progress of an import or export, in a file beside the other: after a crash it continues
/// there.
package struct TransferProgress: Sendable, Codable {
    /// Identifies the transfer; with another file of the same name it starts over.
    var key: String
    /// Import: the offset after the last stored row. Export: the number of bytes written.
    var offset = 0
    /// Import: the line at that offset. Export: the number of the last row.
    var position = 1
    package var rows = 0
    /// The number of these rows with fields that were not stored.
    package var partial = 0
    package var rejected = 0
    /// The size of the report of rows that were not stored, in bytes.
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
