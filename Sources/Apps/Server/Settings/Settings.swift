import API
import Configuration
import ConnectedContent
import FCM
import Foundation
import Front
import Logging
import Model
import Reasons
import StoreSQL
import SystemPackage
import WebPush

/// An invalid setting, which prevents the start of the server.
package struct SettingError: Error, Sendable, CustomStringConvertible {
    package let key: String
    package let reason: Reason

    init(_ key: String, _ code: SettingReason, _ arguments: [String: Reason.Argument] = [:]) {
        self.key = key
        reason = Reason(code, arguments)
    }

    package var description: String { "the setting '\(key)' \(reason)" }
}

/// The settings of the server, read once at the start and passed on as values.
///
/// Sources in order of precedence: options of the command, environment variables `NOROSHI_…`, a
/// configuration file in JSON, defaults. The names correspond: `--listen`, `NOROSHI_LISTEN`,
/// `"listen"`.
package struct Settings: Sendable {
    package var database: DatabaseLocation
    /// The address of a pooler before a database of PostgreSQL, which may give each transaction another connection;
    /// `nil` without one. What a server holds while it works is held past it.
    package var databasePooler: DatabaseLocation?
    package var host: String
    /// The port; 0 chooses a free one.
    package var port: Int
    package var synchronous: SQLStore.Synchronous
    /// The path of the key that encrypts the providers' credentials; a file with 32 bytes in
    /// base64. Empty where none is given and none can be beside the database.
    package var secretKeyPath: String
    /// Identifies this process in leases.
    package var node: String
    /// What this process does among the servers of a database of PostgreSQL; everything on a file.
    package var roles = Set<ServerRole>.all
    package var log = LogSettings()
    /// Whether a database of an earlier version is copied before its schema is changed.
    package var copiesBeforeUpdate = true
    /// The certificate of the server; `nil` without encryption, as behind a proxy.
    package var tls: TLSSettings?
    /// Whether browsers reach the console through HTTPS, at this server or at a proxy.
    package var usesHTTPS: Bool
    /// The public address of this server in links; `nil` uses the address of each request.
    package var publicAddress: PublicAddress?
    /// The limits on the rate and the size of requests with each key of the REST API.
    package var rateLimits: RateLimits
    /// The limits on connections and bodies.
    package var front = FrontSettings()
    /// How long a push waits for its provider's response, in seconds.
    package var pushDeadline: Int
    /// For how many seconds a push sent by a member can be taken back; 0 sends it immediately.
    package var undoSeconds = 0
    /// The proxies that are trusted to report the client's address.
    package var trustedProxies: [Model.AddressRange]
    /// `HOST:PORT` of a server that replaces Apple's, such as a simulator.
    package var apnsServer: String?
    /// The PEM file of the authority that vouches for that server.
    package var apnsAuthorityPath: String?
    /// `HOST:PORT` of a server that replaces Google's, including the token server.
    package var fcmServer: String?
    package var fcmAuthorityPath: String?
    /// How a message is delivered to an Android app.
    package var fcmStyle = FCMConfiguration.Style.dataOnly
    /// The Android notification channel of messages that the system shows.
    package var fcmChannel: String?
    /// `HOST:PORT` of a simulated browser service whose subscriptions are accepted.
    package var webPushServer: String?
    package var webPushAuthorityPath: String?
    /// Allowed browser services besides the known ones.
    package var webPushHosts: [String] = []
    /// How long one key pair is used to encrypt for browsers, in seconds; 0 means one message.
    package var webPushKeyLifetime = 0

    /// Where buckets are.
    package var buckets = BucketSettings()
    /// When the server backs itself up; `nil` if it does not.
    package var backups: BackupSettings?
    /// Where metrics are served; `nil` if they are not.
    package var metrics: MetricsSettings?

    /// Where spans of traces go, such as `http://127.0.0.1:4318/v1/traces`; `nil` if there are none.
    package var otlpEndpoint: String?

    /// The service manager that wants to know what the server does; `nil` if there is none.
    package var serviceManager: ServiceManagerSettings?

    /// The folder with files that workspaces may import; `nil` if there is none.
    package var syncFolder: String?

    /// Addresses that `connected_content` may call although they are not public.
    package var connectedContentAllowed = AllowList()
    /// Addresses of OpenID Connect providers that are not public.
    package var openIDAllowed = AllowList()
    /// Whose certificates `connected_content` and webhooks trust besides the system's.
    package var connectedContentAuthorities = ContentAuthorities()

    package init(databasePath: String, host: String = "127.0.0.1", port: Int = 8080) {
        self.init(database: .file(databasePath), host: host, port: port)
    }

    package init(database: DatabaseLocation, host: String = "127.0.0.1", port: Int = 8080) {
        self.database = database
        self.host = host
        self.port = port
        synchronous = .full
        secretKeyPath = database.path.map { $0 + ".key" } ?? ""
        node = "main"
        usesHTTPS = false
        rateLimits = RateLimits()
        pushDeadline = 30
        trustedProxies = []
    }

    /// The path of the database's file, for what works on files.
    ///
    /// - Throws: `StoreError` with code `unsupported` if it is a database of PostgreSQL, which says what to do
    ///   instead.
    package func databaseFile(_ reason: StoreReason = .noFile) throws -> String {
        guard let path = database.path else {
            throw StoreError(.unsupported, reason, ["path": .text(database.name)])
        }
        return path
    }

    /// Reads the settings; `options` come from the command line.
    ///
    /// - Throws: `SettingError` that names the setting and the remedy.
    package static func load(
        options: [String: String],
        configurationFile: String?,
        environment: [String: String]
    ) async throws -> Settings {
        let given = Dictionary(
            uniqueKeysWithValues: options.map {
                (
                    AbsoluteConfigKey([$0.key]),
                    ConfigValue(.string($0.value), isSecret: $0.key.hasPrefix("database"))
                )
            }
        )
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "options", values: given),
            EnvironmentVariablesProvider(environmentVariables: environment)
                .prefixKeys(with: "noroshi"),
        ]
        if let path = configurationFile ?? environment["NOROSHI_CONFIG"] {
            do {
                providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(path)))
            } catch {
                throw SettingError("config", .unreadableFile, ["reason": "\(error)"])
            }
        }
        var settings = try read(ConfigReader(providers: providers), environment)
        settings.serviceManager = ServiceManagerSettings(
            environment: environment,
            process: ProcessInfo.processInfo.processIdentifier
        )
        return settings
    }

    private static func read(
        _ config: ConfigReader,
        _ environment: [String: String]
    ) throws -> Settings {
        var settings = Settings(
            database: try location(
                config.string(forKey: "database", default: "sqlite:noroshi.sqlite")
            )
        )
        settings.databasePooler = try pooler(config, of: settings.database)
        (settings.host, settings.port) = try address(
            config.string(forKey: "listen", default: "127.0.0.1:8080"),
            key: "listen"
        )
        settings.synchronous = try choice(config, "synchronous", default: .full)
        guard settings.database.path != nil || settings.synchronous == .full else {
            let value = settings.synchronous.rawValue
            throw SettingError("synchronous", .synchronousOfPostgres, ["value": .text(value)])
        }
        settings.log.level = try choice(config, "log-level", default: .info)
        settings.log.format = try choice(config, "log-format", default: .text)
        settings.log.hasRequests = try flag(config, "access-log", default: false)
        settings.copiesBeforeUpdate = try flag(config, "update-copy", default: true)
        settings.secretKeyPath = config.string(
            forKey: "secret-key-file",
            default: settings.secretKeyPath
        )
        settings.node = config.string(forKey: "node", default: settings.node)
        settings.roles = try roles(config, of: settings.database)
        settings.syncFolder = try folder(config, "sync-folder")
        settings.tls = try TLSSettings.read(config)
        settings.usesHTTPS = try flag(config, "https", default: settings.tls != nil)
        guard settings.usesHTTPS || settings.tls == nil else {
            throw SettingError("https", .httpsWithCertificate)
        }
        if let text = config.string(forKey: "public-url") {
            guard let address = PublicAddress(text) else {
                throw SettingError("public-url", .publicAddress, ["value": .text(text)])
            }
            settings.publicAddress = address
        }
        settings.rateLimits.track.requests = try count(
            config,
            "track-limit",
            default: settings.rateLimits.track.requests
        )
        settings.rateLimits.sdk.requests = try count(
            config,
            "sdk-limit",
            default: settings.rateLimits.sdk.requests
        )
        settings.front = try FrontSettings(config)
        settings.metrics = try MetricsSettings.read(config)
        settings.buckets = try BucketSettings.read(config, environment: environment)
        settings.backups = try BackupSettings.read(config, settings.buckets)
        guard settings.database.path != nil || settings.backups == nil else {
            throw SettingError("backup-folder", .backupOfPostgres)
        }
        settings.rateLimits.export.requests = try count(
            config,
            "export-limit",
            default: settings.rateLimits.export.requests
        )
        settings.rateLimits.other.requests = try count(
            config,
            "request-limit",
            default: settings.rateLimits.other.requests
        )
        settings.connectedContentAllowed = try allowList(config, "connected-content-allow")
        settings.openIDAllowed = try allowList(config, "openid-allow")
        settings.connectedContentAuthorities = try authorities(config)
        settings.otlpEndpoint = try otlpEndpoint(config)
        settings.pushDeadline = try count(
            config,
            "push-deadline",
            upTo: 60,
            default: settings.pushDeadline
        )
        settings.undoSeconds = try count(
            config,
            "undo-seconds",
            from: 0,
            upTo: 60,
            default: 10
        )
        settings.rateLimits.bodyBytes = try count(
            config,
            "body-limit",
            default: settings.rateLimits.bodyBytes
        )
        settings.trustedProxies = try addresses(
            config.string(forKey: "trusted-proxies", default: "")
        )
        settings.apnsServer = config.string(forKey: "apns-server")
        settings.apnsAuthorityPath = config.string(forKey: "apns-authority")
        settings.fcmServer = config.string(forKey: "fcm-server")
        settings.fcmAuthorityPath = config.string(forKey: "fcm-authority")
        settings.fcmStyle = try choice(config, "fcm-style", default: .dataOnly)
        settings.fcmChannel = config.string(forKey: "fcm-channel")
        settings.webPushServer = config.string(forKey: "webpush-server")
        settings.webPushAuthorityPath = config.string(forKey: "webpush-authority")
        settings.webPushHosts = config.string(forKey: "webpush-hosts", default: "")
            .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        let lifetime = config.string(forKey: "webpush-key-lifetime", default: "0")
        guard let seconds = Int(lifetime), (0...3600).contains(seconds) else {
            throw SettingError(
                "webpush-key-lifetime",
                .seconds,
                ["value": .text(lifetime), "first": "0", "last": "3600"]
            )
        }
        settings.webPushKeyLifetime = seconds
        return settings
    }
}
