import Foundation
import ObjectStorage

/// The backups below an address while its bucket is open: each is a few objects, named like the files
/// of a folder, and finished when its manifest is there.
struct OpenBackupBucket {
    /// The objects of backups by their names: files and their sizes.
    typealias Contents = [String: [String: Int]]

    private static let files = [
        BackupFolder.manifestFile, BackupFolder.databaseFile, BackupFolder.keyFile,
    ]

    let address: BucketAddress
    let client: BucketClient
    let partSize: Int

    /// Whatever else there is in the bucket is nobody's business here.
    func contents() async throws -> Contents {
        var contents: Contents = [:]
        for object in try await client.objects(address.key(BackupWriter.prefix)) {
            guard let (name, file) = parts(object.key) else { continue }
            contents[name, default: [:]][file] = object.bytes
        }
        return contents
    }

    static func finished(_ contents: Contents) -> [String] {
        contents.filter { $0.value[BackupFolder.manifestFile] != nil }.keys.sorted(by: >)
    }

    func all() async throws -> [StoredBackup] {
        var backups: [StoredBackup] = []
        for name in Self.finished(try await contents()) {
            if let backup = try await backup(name) { backups.append(backup) }
        }
        return backups
    }

    func newest() async throws -> Date? {
        for name in Self.finished(try await contents()) {
            if let backup = try await backup(name) { return backup.manifest.createdAt }
        }
        return nil
    }

    /// - Returns: `nil` if another version wrote it, or it was removed meanwhile.
    private func backup(_ name: String) async throws -> StoredBackup? {
        do {
            let manifest = try BackupManifest(
                reading: try await client.object(key(name, BackupFolder.manifestFile))
            )
            return StoredBackup(address: "\(address)/\(name)", manifest: manifest)
        } catch is BackupError {
            return nil
        } catch BucketError.noObject {
            return nil
        }
    }

    /// Removes what belongs to no finished backup, as after an upload that was killed.
    func removeLeftovers(_ contents: Contents) async throws {
        for upload in try await client.openUploads(address.key(BackupWriter.prefix))
        where parts(upload.key) != nil {
            try await client.abort(upload)
        }
        for (name, files) in contents where files[BackupFolder.manifestFile] == nil {
            try await remove(name, files)
        }
    }

    /// From the first step on it is no finished backup.
    func remove(_ name: String, _ files: [String: Int]) async throws {
        for file in Self.files where files[file] != nil {
            try await client.delete(key(name, file))
        }
    }

    /// Writes the files of a folder, the manifest when all others are there.
    func upload(_ folder: String, as name: String) async throws -> StoredBackup {
        let written = try BackupFolder(folder)
        do {
            for file in written.manifest.files.keys.sorted() {
                try await client.upload(
                    "\(folder)/\(file)",
                    to: key(name, file),
                    partSize: partSize
                )
            }
            let found = try await contents()[name] ?? [:]
            guard found == written.manifest.files.mapValues(\.bytes) else {
                throw BucketError.changed(address.key(name))
            }
            try await client.upload(
                "\(folder)/\(BackupFolder.manifestFile)",
                to: key(name, BackupFolder.manifestFile),
                partSize: partSize
            )
        } catch {
            // Not cancelled with this task; what stays nevertheless goes with the next backup.
            await Task {
                guard let left = try? await contents()[name] else { return }
                try? await remove(name, left)
            }.value
            throw error
        }
        return StoredBackup(address: "\(address)/\(name)", manifest: written.manifest)
    }

    /// Writes the one backup whose files are at the address into a folder: first what tells whether
    /// the rest is worth it.
    func download(to folder: String, passphrase: String?) async throws {
        let data: Data
        do {
            data = try await client.object(address.key(BackupFolder.manifestFile))
        } catch BucketError.noObject {
            throw BackupError.noBackup(address.description)
        }
        let manifest = try BackupManifest(reading: data)
        try manifest.requireFiles()
        // A store may tell an object twice.
        let found = Dictionary(
            try await client.objects(address.key("")).map { ($0.key, $0.bytes) },
            uniquingKeysWith: { $1 }
        )
        for (file, written) in manifest.files.sorted(by: { $0.key < $1.key }) {
            guard let bytes = found[address.key(file)] else {
                throw BackupError.damaged(file, "is missing")
            }
            guard bytes == written.bytes else { throw BackupError.damaged(file, bytes, written) }
        }
        try BackupFiles.write(data, to: folder + "/" + BackupFolder.manifestFile)
        for file in [BackupFolder.keyFile, BackupFolder.databaseFile] {
            try await client.download(
                address.key(file),
                to: folder + "/" + file,
                bytes: manifest.files[file]?.bytes ?? 0
            )
            if file == BackupFolder.keyFile, let passphrase {
                _ = try BackupFolder(folder).key(passphrase: passphrase)
            }
        }
    }

    private func key(_ name: String, _ file: String) -> String { address.key(name + "/" + file) }

    /// The backup and the file that an object is; `nil` if it is none of ours.
    private func parts(_ key: String) -> (name: String, file: String)? {
        let own = key.dropFirst(address.key("").count)
        guard let match = own.wholeMatch(of: /(noroshi-[0-9]{8}T[0-9]{6}Z(?:-[0-9]+)?)\/([a-z.]+)/),
            Self.files.contains(String(match.output.2))
        else { return nil }
        return (String(match.output.1), String(match.output.2))
    }
}
