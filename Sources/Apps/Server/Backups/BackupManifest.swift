import Foundation

/// What a backup holds, to be compared when it is verified: the file of this name is written last.
package struct BackupManifest: Codable, Sendable, Hashable {
    package struct File: Codable, Sendable, Hashable {
        package var bytes: Int
        /// In hexadecimal digits.
        package var sha256: String
    }

    /// Raised when older versions could not read it.
    static let currentFormat = 1

    package var format: Int
    /// The version of Noroshi that wrote it.
    package var version: String
    package var createdAt: Date
    /// By name.
    package var files: [String: File]
    /// The number of rows by table.
    package var rows: [String: Int]

    /// What is the same in every format.
    private struct Format: Decodable {
        var format: Int
        var version: String
    }

    init(
        format: Int,
        version: String,
        createdAt: Date,
        files: [String: File],
        rows: [String: Int]
    ) {
        self.format = format
        self.version = version
        self.createdAt = createdAt
        self.files = files
        self.rows = rows
    }

    /// - Throws: `BackupError` if it cannot be read, or a newer version wrote it.
    init(reading data: Data) throws {
        let format: Format
        do {
            format = try Self.decoder.decode(Format.self, from: data)
        } catch {
            throw BackupError.damaged(BackupFolder.manifestFile, "cannot be read")
        }
        guard format.format <= Self.currentFormat else {
            throw BackupError.newer(format.version)
        }
        do {
            self = try Self.decoder.decode(BackupManifest.self, from: data)
        } catch {
            throw BackupError.damaged(BackupFolder.manifestFile, "cannot be read")
        }
    }

    /// - Throws: `BackupError` if it names other files than a backup has.
    func requireFiles() throws {
        guard Set(files.keys) == [BackupFolder.databaseFile, BackupFolder.keyFile] else {
            throw BackupError.damaged(
                BackupFolder.manifestFile,
                "does not name the files of a backup"
            )
        }
    }

    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}
