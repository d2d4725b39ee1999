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
