import Reasons

/// What can be wrong with a setting, said after its name.
///
/// Only who starts the server reads it: it is said in English.
package enum SettingReason: String, ReasonCode {
    package static let family = ReasonFamily.setting

    // Values that cannot be.
    case address = "is '{value}'; use HOST:PORT, such as 127.0.0.1:8080"
    case allowed =
        "has '{value}', which is no host name, address or range of addresses, with or without ':port'"
    case bucketEndpoint = "is '{value}'; use https:// and a host, such as https://s3.example.com"
    case bucketRegion = "is '{value}'; use a name such as eu-central-1"
    case choice = "is '{value}'; use one of {known}"
    case collector =
        "is '{value}'; use http:// or https:// and a host, such as http://127.0.0.1:4318"
    case count = "is '{value}'; use a whole number from {first} to {last}"
    case countFrom = "is '{value}'; use a whole number from {first} on"
    case database =
        "is '{value}'; use sqlite:FILE, such as sqlite:noroshi.sqlite, or postgres://HOST/DATABASE"
    case pooler = "is '{value}'; use postgres://HOST:PORT/DATABASE"
    case flag = "is '{value}'; use true or false"
    case publicAddress =
        "is '{value}'; use http:// or https:// and a host, such as https://push.example.com"
    case proxies = "has '{value}'; use addresses or ranges such as 10.0.0.0/8"
    case roles = "is '{value}'; use one or some of {known}, with commas between them"
    case seconds = "is '{value}'; use {first} to {last} seconds"

    // Files and folders.
    case bucketCredentials = """
        is '{path}', which does not hold aws_access_key_id=… and aws_secret_access_key=… in lines \
        of their own
        """
    case certificate = "is '{path}', which {reason}"
    case emptyPassphrase = "is '{path}', which holds no passphrase"
    case folderOfAnotherDemo = "names a folder of another demo"
    case folderReadOnly = "names a folder without write access"
    case metricsKey = """
        needs {count} characters or more in the first line of '{path}'; make some with: openssl rand \
        -base64 24
        """
    case noFolder = "is '{path}', which is no folder; make it first"
    case noPEM = "names {path}, which holds no PEM certificate"
    case secretKey = "names {path}, which does not hold 32 bytes in base64"
    case secretKeyMissing =
        "names {path}, which cannot be read; without it a backup is of no use"
    case unreadable = "names {path}, which cannot be read"
    case unreadableFile = "names a file that cannot be read: {reason}"
    case unusable = "cannot be used: {reason}"
    case unwritable = "names {path}, which cannot be written"

    // Settings that belong together.
    case backupOfPostgres = """
        is given, and the database is PostgreSQL's; back it up with pg_dump or pg_basebackup, and the \
        key file with it
        """
    case bucketCredentialsMissing = """
        is not given; name a file with aws_access_key_id=… and aws_secret_access_key=…, or set \
        AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment
        """
    case companion = "need {program}, which does not start: {log}"
    case poolerOfFile = "is given, and the database is a file; leave it out"
    case noPostgres = "need PostgreSQL, which is not installed: apt-get install postgresql"
    case certificateWithoutKey = "is given, and no key; add --tls-key FILE"
    case httpsWithCertificate = "is false, but there is a certificate; leave it out"
    case metricsWithoutKey = """
        is '{value}', which other computers reach; name a file with a key that Prometheus sends \
        (--metrics-key-file), or use 127.0.0.1:{port}
        """
    case passphraseMissing = """
        needs a passphrase, which seals the key in each backup; give it with \
        --backup-passphrase-file or in NOROSHI_BACKUP_PASSPHRASE
        """
    case passphraseShort = "holds a passphrase of less than {count} characters"
    case rolesOfFile =
        "leaves something out, and the database is a file, whose one server does everything"
    case secretKeyOfPostgres = """
        is not given, and a database of PostgreSQL has no folder for it; make a file once with: \
        openssl rand -base64 32 (readable by this program's user only), and give it to each server \
        and command of the database
        """
    case secretKeyNotThere = """
        names {path}, which is not there; all servers of a database of PostgreSQL have the same key: \
        copy it, or make one for a new database with: openssl rand -base64 32
        """
    case secretKeyOfOther = """
        names {path}, which is another key than the one that encrypts the secrets in {database}; copy that \
        one from a server that works with them or from a backup. If it is lost: ./noroshi credentials \
        new-key --former-is-lost
        """
    case synchronousOfPostgres = """
        is '{value}', which is for SQLite; PostgreSQL's synchronous_commit says what a commit \
        survives, such as: ALTER ROLE noroshi SET synchronous_commit = off
        """
    case withoutBackups = "is given, and no folder; add --backup-folder"
    case withoutCertificate = "is given, and no certificate; add --tls-certificate FILE"
    case withoutMetrics = "is given, and no address; add --metrics-listen HOST:PORT"

    // Ports.
    case portTaken = """
        asks for {host}:{port}, which another program has; stop that program, or choose another \
        port with --listen {host}:PORT (0 takes a free one)
        """
    case portTakenHere = "asks for {host}:{port}, which another program has; choose another port"
    case portUnusable = "asks for {host}:{port}, which cannot be had: {reason}"
}
