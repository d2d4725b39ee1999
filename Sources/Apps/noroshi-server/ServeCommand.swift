import ArgumentParser
import Foundation
import Logging
import Server

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Starts the server.",
        discussion: """
            Options come before environment variables, these before the configuration file, and \
            that before the defaults.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Option(help: "HOST:PORT; port 0 takes a free one. [NOROSHI_LISTEN; default 127.0.0.1:8080]")
    var listen: String?

    @Option(
        help: """
            full: a commit survives the loss of power; normal: that of the process. Of SQLite only. \
            [NOROSHI_SYNCHRONOUS; default full]
            """
    )
    var synchronous: String?

    @Option(
        name: .customLong("database-pooler"),
        help: """
            postgres://HOST:PORT/DATABASE of a pooler (pgbouncer, in its transaction mode, too) through which \
            everything goes but what the server holds while it works, which --database is for. \
            [NOROSHI_DATABASE_POOLER]
            """
    )
    var databasePooler: String?

    @Option(help: "Names this process in the ledger. [NOROSHI_NODE; default main]")
    var node: String?

    @Option(
        help: """
            What this server does among those of a database of PostgreSQL, with commas: requests, delivery, \
            leadership. [NOROSHI_ROLES; default all of them]
            """
    )
    var roles: String?

    @Option(help: "true when browsers reach the console through HTTPS. [NOROSHI_HTTPS]")
    var https: String?

    @Option(
        name: .customLong("public-url"),
        help: """
            What links to this server begin with, such as https://push.example.com; where each \
            request came to by default. [NOROSHI_PUBLIC_URL]
            """
    )
    var publicURL: String?

    @Option(
        name: .customLong("apns-server"),
        help: "HOST:PORT of a server that stands in for Apple's. [NOROSHI_APNS_SERVER]"
    )
    var apnsServer: String?

    @Option(
        name: .customLong("apns-authority"),
        help: "A PEM file with the authority to trust for that server. [NOROSHI_APNS_AUTHORITY]"
    )
    var apnsAuthority: String?

    @Option(
        name: .customLong("connected-content-allow"),
        help: """
            What templates may call although it is not on the public network: names, addresses and \
            ranges with commas between them, each with or without a port. \
            [NOROSHI_CONNECTED_CONTENT_ALLOW]
            """
    )
    var connectedContentAllow: String?

    @Option(
        name: .customLong("otlp-endpoint"),
        help: """
            A collector that gets spans of requests, ingestion, planning and pushes by OTLP/HTTP in \
            JSON, such as http://127.0.0.1:4318. [NOROSHI_OTLP_ENDPOINT]
            """
    )
    var otlpEndpoint: String?

    @Option(
        name: .customLong("openid-allow"),
        help: """
            OpenID Connect providers that are not on the public network: names, addresses and \
            ranges with commas between them, each with or without a port. [NOROSHI_OPENID_ALLOW]
            """
    )
    var openIDAllow: String?

    @Option(
        name: .customLong("connected-content-authority"),
        help: """
            A PEM file with certificate authorities that templates, webhooks and sign-ins trust \
            besides the system's. [NOROSHI_CONNECTED_CONTENT_AUTHORITY]
            """
    )
    var connectedContentAuthority: String?

    @Option(
        name: .customLong("fcm-server"),
        help: "HOST:PORT of a server that stands in for Google's. [NOROSHI_FCM_SERVER]"
    )
    var fcmServer: String?

    @Option(
        name: .customLong("fcm-authority"),
        help: "A PEM file with the authority to trust for that server. [NOROSHI_FCM_AUTHORITY]"
    )
    var fcmAuthority: String?

    @Option(
        name: .customLong("fcm-style"),
        help: """
            data: the Android app shows every message itself; notification: the system shows it \
            while the app is in the background. [NOROSHI_FCM_STYLE; default data]
            """
    )
    var fcmStyle: String?

    @Option(
        name: .customLong("fcm-channel"),
        help: "The Android notification channel of such notifications. [NOROSHI_FCM_CHANNEL]"
    )
    var fcmChannel: String?

    @Option(
        name: .customLong("webpush-server"),
        help: "HOST:PORT of a simulated browsers' service to send to. [NOROSHI_WEBPUSH_SERVER]"
    )
    var webPushServer: String?

    @Option(
        name: .customLong("webpush-authority"),
        help: "A PEM file with the authority to trust for it. [NOROSHI_WEBPUSH_AUTHORITY]"
    )
    var webPushAuthority: String?

    @Option(
        name: .customLong("webpush-hosts"),
        help: """
            Push services to allow beside those of Chrome, Firefox, Safari and Edge, with commas. \
            [NOROSHI_WEBPUSH_HOSTS]
            """
    )
    var webPushHosts: String?

    @Option(
        name: .customLong("webpush-key-lifetime"),
        help: """
            Seconds (0 to 3600) for which one key pair encrypts for browsers. 0 makes a new one for \
            every message, as RFC 8291 has it; more makes repeated pushes to a browser cheaper. \
            [NOROSHI_WEBPUSH_KEY_LIFETIME; default 0]
            """
    )
    var webPushKeyLifetime: String?

    @Option(
        name: .customLong("push-deadline"),
        help: "Seconds to wait for a provider's answer. [NOROSHI_PUSH_DEADLINE; default 30]"
    )
    var pushDeadline: String?

    @Option(
        name: .customLong("undo-seconds"),
        help: """
            Seconds in which a push that was sent in the console can be taken back; 0 sends it at \
            once. Sends of the REST API never wait. [NOROSHI_UNDO_SECONDS; default 10]
            """
    )
    var undoSeconds: String?

    @Option(
        name: .customLong("sync-folder"),
        help: """
            A folder with files that workspaces may read in through /cdi/integrations: \
            WORKSPACE/users/NAME.csv, WORKSPACE/events/NAME.ndjson and so on, where WORKSPACE is \
            its number. [NOROSHI_SYNC_FOLDER]
            """
    )
    var syncFolder: String?

    @Option(
        name: .customLong("log-format"),
        help: """
            text: lines of words with key=value; json: an object in a line. \
            [NOROSHI_LOG_FORMAT; default text]
            """
    )
    var logFormat: String?

    @Option(
        name: .customLong("access-log"),
        help: """
            true for a line of the log for each answered request: method, pattern of the route, \
            status and milliseconds, without addresses and names. [NOROSHI_ACCESS_LOG; default false]
            """
    )
    var accessLog: String?

    @Option(
        name: .customLong("metrics-listen"),
        help: """
            HOST:PORT where Prometheus reads /metrics; nowhere by default. An address that other \
            computers reach needs a key. [NOROSHI_METRICS_LISTEN]
            """
    )
    var metricsListen: String?

    @Option(
        name: .customLong("metrics-key-file"),
        help: """
            A file whose first line Prometheus sends as its bearer token. \
            [NOROSHI_METRICS_KEY_FILE]
            """
    )
    var metricsKeyFile: String?

    @OptionGroup(title: "Encryption") var encryption: EncryptionOptions

    @OptionGroup(title: "Backups") var backups: BackupScheduleOptions

    @OptionGroup(title: "Buckets") var buckets: BucketOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() async throws {
        let own: [String: String?] = [
            "database-pooler": databasePooler, "listen": listen, "synchronous": synchronous,
            "node": node, "roles": roles, "https": https, "public-url": publicURL,
            "apns-server": apnsServer, "apns-authority": apnsAuthority, "fcm-server": fcmServer,
            "fcm-authority": fcmAuthority, "fcm-style": fcmStyle, "fcm-channel": fcmChannel,
            "webpush-server": webPushServer, "webpush-authority": webPushAuthority,
            "webpush-hosts": webPushHosts, "webpush-key-lifetime": webPushKeyLifetime,
            "connected-content-allow": connectedContentAllow, "openid-allow": openIDAllow,
            "otlp-endpoint": otlpEndpoint,
            "connected-content-authority": connectedContentAuthority,
            "push-deadline": pushDeadline, "undo-seconds": undoSeconds,
            "sync-folder": syncFolder, "metrics-listen": metricsListen,
            "metrics-key-file": metricsKeyFile, "log-format": logFormat, "access-log": accessLog,
        ]
        let given = [limits.values, backups.values, buckets.values, encryption.values].reduce(own) {
            $0.merging($1) { own, _ in own }
        }
        let settings = try await options.settings(given)
        let level = LogLevel(settings.log.level)
        // Settings are read again by a server that runs; one that waits for its turn goes on waiting.
        _ = signal(SIGHUP, SIG_IGN)
        let server = try await NoroshiServer.open(
            settings: settings,
            logger: settings.log.logger(level)
        )
        let reloading = Reloading(
            settings: { [options] in try await options.settings(given) },
            level: level
        )
        let scheme = settings.tls == nil ? "http" : "https"
        try await server.run(
            reloading: reloading,
            onRunning: { port in
                print("Noroshi listens on \(scheme)://\(settings.host):\(port)")
                // Another program may wait for this line.
                fflush(nil)
            }
        )
    }
}
