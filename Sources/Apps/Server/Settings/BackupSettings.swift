import Configuration
import Foundation
import ObjectStorage
import Reasons

/// When the server backs itself up, and where to.
package struct BackupSettings: Sendable, Hashable {
    /// Holds the backups of this server and no other's; a folder is made if it is missing.
    package var place: BackupPlace
    /// Hours between two backups.
    package var hours = 24
    /// Number of backups that stay.
    package var keep = 14
    /// Seals the key in each backup.
    package var passphrase: String

    package init(place: BackupPlace, passphrase: String) {
        self.place = place
        self.passphrase = passphrase
    }

    /// - Throws: `SettingError`.
    static func read(
        _ config: ConfigReader,
        _ buckets: BucketSettings
    ) throws -> BackupSettings? {
        guard let folder = config.string(forKey: "backup-folder") else {
            for key in ["backup-hours", "backup-keep", "backup-passphrase-file"]
            where config.string(forKey: ConfigKey([key])) != nil {
                throw SettingError(key, .withoutBackups)
            }
            return nil
        }
        let path = config.string(forKey: "backup-passphrase-file")
        let given = try path.map(Self.passphrase(path:))
        guard let passphrase = given ?? config.string(forKey: "backup-passphrase") else {
            throw SettingError("backup-folder", .passphraseMissing)
        }
        guard passphrase.count >= SealedKey.shortestPassphrase else {
            throw SettingError(
                path == nil ? "backup-passphrase" : "backup-passphrase-file",
                .passphraseShort,
                ["count": "\(SealedKey.shortestPassphrase)"]
            )
        }
        let place: BackupPlace
        do {
            place = try BackupPlace(folder, buckets: buckets)
        } catch let problem as BucketError {
            throw SettingError("backup-folder", .unusable, ["reason": "\(problem)"])
        }
        var backups = BackupSettings(place: place, passphrase: passphrase)
        backups.hours = try Settings.count(
            config,
            "backup-hours",
            upTo: 8760,
            default: backups.hours
        )
        backups.keep = try Settings.count(
            config,
            "backup-keep",
            upTo: 10_000,
            default: backups.keep
        )
        return backups
    }

    /// The first line of a passphrase's file.
    ///
    /// - Throws: `SettingError`.
    private static func passphrase(path: String) throws -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let line = text.split(whereSeparator: \.isNewline).first
        else {
            throw SettingError(
                "backup-passphrase-file",
                .emptyPassphrase,
                ["path": .text(path)]
            )
        }
        return String(line)
    }
}
