import ArgumentParser
import Foundation
import Model
import Server
import StoreSQL

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes, lists and verifies backups; the server may be running.",
        discussion: """
            A backup is a folder, or as many objects in a bucket of an S3-shaped store, with a copy of \
            the database as it was at one moment, and the secret key file, encrypted with a passphrase. Without the passphrase its credentials cannot be \
            opened by anybody, so keep it elsewhere. A database of PostgreSQL is backed up with its own \
            programs, pg_dump or pg_basebackup.
            """,
        subcommands: [Create.self, List.self, Verify.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a backup into a folder of its own."
        )

        @OptionGroup var options: SettingsOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup(title: "Buckets") var bucket: BucketOptions
        @Option(help: "The folder that holds the backups, or s3://BUCKET/PREFIX.") var to: String
        @Option(help: "How many backups to keep there; older ones are deleted.") var keep: Int?

        func validate() throws {
            if let keep, keep < 1 { throw ValidationError("--keep is at least 1") }
        }

        func run() async throws {
            let settings = try await options.settings(bucket.values)
            _ = try settings.databaseFile()
            try settings.requireDatabase()
            let place = try BackupPlace(to, buckets: settings.buckets)
            let backup = try await BackupWriter(
                settings: settings,
                now: ServerDependencies.live.now,
                random: ServerDependencies.live.random
            ).write(to: place, passphrase: try passphrase.text(), keep: keep)
            print("\(backup.address): \(backup.manifest.summary)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the finished backups in a folder, the newest first."
        )

        @OptionGroup var options: SettingsOptions
        @OptionGroup(title: "Buckets") var bucket: BucketOptions
        @Argument(help: "The folder that holds the backups, or s3://BUCKET/PREFIX.")
        var folder: String

        func run() async throws {
            let settings = try await options.settings(bucket.values)
            let place = try BackupPlace(folder, buckets: settings.buckets)
            for backup in try await place.all(now: ServerDependencies.live.now) {
                print("\(backup.address): \(backup.manifest.summary)")
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Reads all of a backup and compares it with what was written; 1 if it differs.",
            discussion: """
                With a passphrase, tries whether it opens the key. A backup in a bucket is downloaded \
                into the folder for temporary files (TMPDIR), which needs the room.
                """
        )

        @Argument(help: "The backup: a folder, or s3://BUCKET/PREFIX/NAME.") var backup: String
        @OptionGroup var options: SettingsOptions
        @OptionGroup(title: "Buckets") var bucket: BucketOptions
        @OptionGroup var passphrase: PassphraseOptions

        func run() async throws {
            let settings = try await options.settings(bucket.values)
            let passphrase = try passphrase.given()
            let manifest = try await BackupPlace(backup, buckets: settings.buckets).withBackup(
                downloads: FileManager.default.temporaryDirectory
                    .appending(path: "noroshi-verify-\(UUID().uuidString)").path,
                passphrase: passphrase,
                now: ServerDependencies.live.now
            ) { folder in
                try folder.verify(passphrase: passphrase)
                return folder.manifest
            }
            print("\(backup) is as it was written: \(manifest.summary)")
        }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a database and its secret key file from a backup.",
        discussion: """
            The server that is started on it takes events and shows everything, but sends nothing \
            until ./noroshi release: the one from which the backup is may have sent, and may still \
            send, what is due here.
            """
    )

    @Argument(
        help: """
            The backup: a folder that ./noroshi backup create has written, or s3://BUCKET/PREFIX/NAME, \
            which is downloaded beside the new database.
            """
    )
    var backup: String
    @OptionGroup var options: SettingsOptions
    @OptionGroup(title: "Buckets") var bucket: BucketOptions
    @OptionGroup var passphrase: PassphraseOptions
    @Flag(help: "Moves a database that is there away.") var replace = false

    func run() async throws {
        let settings = try await options.settings(bucket.values)
        let target = try settings.databaseFile(.noFileToRestore)
        let (moved, manifest) = try await BackupRestorer(
            settings: settings,
            now: ServerDependencies.live.now
        )
        .restore(
            from: try BackupPlace(backup, buckets: settings.buckets),
            passphrase: try passphrase.text(),
            replaces: replace
        )
        for file in moved { print("What was there is now \(file)") }
        print("Restored \(target): \(manifest.summary)")
        print("It sends nothing yet. When the former server is stopped, one of")
        print("  ./noroshi release --missed skip   if it went on sending after the backup")
        print("  ./noroshi release --missed send   if nothing was sent since")
    }
}

/// How commands get the passphrase of a backup: never as an argument, which others can see.
struct PassphraseOptions: ParsableArguments {
    private static let variable = "NOROSHI_BACKUP_PASSPHRASE"

    @Option(
        name: .customLong("passphrase-file"),
        help: "A file with the passphrase in its first line. [or NOROSHI_BACKUP_PASSPHRASE itself]"
    )
    var passphraseFile: String?

    /// The passphrase; `nil` if none is given.
    func given() throws -> String? {
        guard let passphraseFile else {
            return ProcessInfo.processInfo.environment[Self.variable]
        }
        guard let text = try? String(contentsOfFile: passphraseFile, encoding: .utf8),
            let line = text.split(whereSeparator: \.isNewline).first
        else { throw ValidationError("--passphrase-file names a file that holds no passphrase") }
        return String(line)
    }

    func text() throws -> String {
        guard let text = try given() else {
            throw ValidationError("give a passphrase with --passphrase-file or \(Self.variable)")
        }
        return text
    }
}

extension BackupManifest {
    /// When it was written, with what and how large it is.
    fileprivate var summary: String {
        let bytes = files.values.reduce(0) { $0 + $1.bytes }
        return "\(createdAt.formatted(.iso8601)), Noroshi \(version), "
            + "\(rows.values.reduce(0, +)) rows, "
            + Int64(bytes).formatted(.byteCount(style: .file).locale(Locale(identifier: "en_US")))
    }
}
