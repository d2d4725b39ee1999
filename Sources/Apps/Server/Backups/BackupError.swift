/// Why a backup cannot be written, read or restored.
package enum BackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The folder has no backup, or one that was not finished.
    case noBackup(String)
    /// A file of the backup is not what was written.
    case damaged(String, String)
    /// A newer version has written it.
    case newer(String)
    case wrongPassphrase
    case shortPassphrase(Int)
    /// Another backup is being written into the same folder.
    case busy(String)
    /// There is something where the restored server would be.
    case exists(String)
    case unusable(String, String)

    /// A file is cut off, or goes on behind its end.
    static func damaged(
        _ file: String,
        _ bytes: Int,
        _ written: BackupManifest.File
    ) -> BackupError {
        .damaged(file, "has \(bytes) bytes and was written with \(written.bytes)")
    }

    package var description: String {
        switch self {
        case .noBackup(let path):
            "\(path) holds no finished backup: there is no \(BackupFolder.manifestFile) in it"
        case .damaged(let file, let reason):
            "the backup is damaged: \(file) \(reason). Use another backup"
        case .newer(let version):
            "the backup was written by Noroshi \(version); restore it with that version or a later one"
        case .wrongPassphrase:
            "the passphrase does not open the backup's key"
        case .shortPassphrase(let count):
            "the passphrase is too short; take one of at least \(count) characters"
        case .busy(let path):
            "another backup is being written to \(path); wait for its end"
        case .exists(let path):
            "\(path) exists; name another database, or move it away with --replace"
        case .unusable(let path, let reason):
            "\(path) cannot be used: \(reason)"
        }
    }
}
