import Foundation
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

    /// The first line of a passphrase's file.
    ///
    /// - Throws: `Settings.Problem`.
    static func passphrase(path: String) throws -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let line = text.split(whereSeparator: \.isNewline).first
        else {
            throw Settings.Problem(
                "backup-passphrase-file",
                .emptyPassphrase,
                ["path": .text(path)]
            )
        }
        return String(line)
    }
}
