import ArgumentParser

/// When a server backs itself up.
struct BackupScheduleOptions: ParsableArguments {
    @Option(
        name: .customLong("backup-folder"),
        help: """
            A folder, or s3://BUCKET/PREFIX, for backups that the server writes by itself; none by \
            default. \
            [NOROSHI_BACKUP_FOLDER]
            """
    )
    var folder: String?

    @Option(
        name: .customLong("backup-hours"),
        help: "Hours between two backups. [NOROSHI_BACKUP_HOURS; default 24]"
    )
    var hours: String?

    @Option(
        name: .customLong("backup-keep"),
        help: "How many of them stay. [NOROSHI_BACKUP_KEEP; default 14]"
    )
    var keep: String?

    @Option(
        name: .customLong("backup-passphrase-file"),
        help: """
            A file with the passphrase in its first line. [NOROSHI_BACKUP_PASSPHRASE_FILE, or \
            NOROSHI_BACKUP_PASSPHRASE itself]
            """
    )
    var passphraseFile: String?

    var values: [String: String?] {
        [
            "backup-folder": folder, "backup-hours": hours, "backup-keep": keep,
            "backup-passphrase-file": passphraseFile,
        ]
    }
}
