import Crypto
import Foundation

/// Files whose content is on the disk when a call returns, readable by their owner only.
enum BackupFiles {
    private static let chunk = 1 << 20

    /// The size of a file and its SHA-256.
    static func digest(_ path: String) throws -> BackupManifest.File {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw BackupError.damaged((path as NSString).lastPathComponent, "is missing")
        }
        defer { try? file.close() }
        var hash = SHA256()
        var bytes = 0
        while let part = try file.read(upToCount: chunk), !part.isEmpty {
            hash.update(data: part)
            bytes += part.count
        }
        let digits = hash.finalize().map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return BackupManifest.File(bytes: bytes, sha256: digits.joined())
    }

    static func write(_ data: Data, to path: String) throws {
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: data,
                attributes: [.posixPermissions: 0o600]
            )
        else { throw BackupError.unusable(path, "it cannot be written") }
        try synchronize(path)
    }

    /// Waits until a file, or the entries of a folder, are on the disk.
    static func synchronize(_ path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BackupError.unusable(path, reason(errno)) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw BackupError.unusable(path, reason(errno)) }
    }

    /// Renames, in one step that is on the disk afterwards.
    static func move(_ path: String, to target: String) throws {
        guard rename(path, target) == 0 else {
            throw BackupError.unusable(target, reason(errno))
        }
        try synchronize((target as NSString).deletingLastPathComponent)
    }

    static func remove(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.removeItem(atPath: path)
    }

    static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw BackupError.unusable(path, "\(error.localizedDescription)")
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Lets one process at a time write into a folder; the kernel takes it back when that ends.
final class FolderLock: Sendable {
    private let file: Int32

    /// - Throws: `BackupError.busy` if another process has it.
    init(_ folder: String) throws {
        let path = folder + "/.lock"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw BackupError.unusable(path, String(cString: strerror(errno)))
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw BackupError.busy(folder)
        }
    }

    deinit {
        // A process that is just being started has the file open for a moment, too.
        flock(file, LOCK_UN)
        close(file)
    }
}
