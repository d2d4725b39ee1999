import Foundation
import Model
import NoroshiWire
import StoreSQL

/// One finished backup: a folder with a copy of the database, the sealed secret key, and a manifest
/// of both.
package struct BackupFolder: Sendable {
    static let databaseFile = "noroshi.sqlite"
    static let keyFile = "key.sealed"
    static let manifestFile = "backup.json"

    package let path: String
    package let manifest: BackupManifest

    /// - Throws: `BackupError` if there is no finished backup, or one of a newer version.
    package init(_ path: String) throws {
        self.path = path
        guard let data = FileManager.default.contents(atPath: path + "/" + Self.manifestFile) else {
            throw BackupError.noBackup(path)
        }
        manifest = try BackupManifest(reading: data)
    }

    /// The finished backups in a folder, the newest first.
    package static func all(in folder: String) throws -> [BackupFolder] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw BackupError.unusable(folder, error.localizedDescription)
        }
        return
            names
            .filter { $0.hasPrefix(BackupWriter.prefix) && !$0.hasSuffix(BackupWriter.unfinished) }
            .compactMap { try? BackupFolder(folder + "/" + $0) }
            .sorted { ($0.manifest.createdAt, $0.path) > ($1.manifest.createdAt, $1.path) }
    }

    var database: String { path + "/" + Self.databaseFile }

    /// Reads every byte of the backup and compares it with the manifest.
    ///
    /// - Parameter passphrase: Opens the key too; `nil` to leave it closed.
    /// - Throws: `BackupError` for the first thing that is not as it was written.
    package func verify(passphrase: String?) throws {
        try manifest.requireFiles()
        for (name, written) in manifest.files.sorted(by: { $0.key < $1.key }) {
            let found = try BackupFiles.digest(path + "/" + name)
            guard found.bytes == written.bytes else {
                throw BackupError.damaged(name, found.bytes, written)
            }
            guard found.sha256 == written.sha256 else {
                throw BackupError.damaged(name, "was changed")
            }
        }
        if let passphrase { _ = try key(passphrase: passphrase) }
        let (damage, rows) = try CopiedDatabase(path: database).examine()
        if let first = damage.first { throw BackupError.damaged(Self.databaseFile, first) }
        guard rows == manifest.rows else {
            let table = Set(rows.keys).union(manifest.rows.keys).sorted()
                .first { rows[$0] != manifest.rows[$0] }
            throw BackupError.damaged(
                Self.databaseFile,
                "has other rows in the table \(table ?? "")"
            )
        }
    }

    /// The text of the secret key file.
    func key(passphrase: String) throws -> Data {
        guard let data = FileManager.default.contents(atPath: path + "/" + Self.keyFile),
            let sealed = try? BackupManifest.decoder.decode(SealedKey.self, from: data)
        else { throw BackupError.damaged(Self.keyFile, "cannot be read") }
        return try sealed.open(passphrase: passphrase)
    }
}
