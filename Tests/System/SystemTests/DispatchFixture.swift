import Campaigns
import Credentials
import Foundation
import Gateways
import Logging
import Model
import NoroshiWire
import Ports
import Server
import ServerTesting

/// A server in this process over a provider's simulator, with an app, and a look into its ledger.
struct DispatchFixture: Sendable {
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    struct Device: Sendable {
        var profile: ProfileID
        var installation: UUID
        /// By which a fault script names the device.
        var faultKey: String
    }

    struct Row: Sendable {
        var state: Int
        var reason: String?
        var hasToken: Bool
        var attempts: Int
        /// When the next attempt is due, while there is one.
        var dueAt: Date

        var isFinal: Bool { state > 1 }
    }

    private static let bundleID = "dev.noroshi.ledger"

    let gateways: DemoGateways
    private let server: NoroshiServer
    private let workspace: WorkspaceID
    private let provider: PushProvider
    private let platform: String
    private let app: App
    private let ledger: Ledger

    /// Runs the server for as long as `body` takes.
    ///
    /// - Parameter deadline: seconds that a push waits for its answer.
    static func run(
        _ provider: PushProvider,
        deadline: Int = 30,
        _ body: @escaping @Sendable (DispatchFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-ledger-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = try await DispatchFixture(folder, provider, deadline: deadline)
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await bench.server.run(
                    handlesSignals: false,
                    until: { for await _ in end {} }
                )
            }
            group.addTask {
                defer { ending.finish() }
                try await body(bench)
            }
            try await group.waitForAll()
        }
        await bench.gateways.stop()
    }

    private init(_ folder: URL, _ provider: PushProvider, deadline: Int) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var others = GatewayConfiguration()
        others.streamLimit = 1000
        gateways = try await DemoGateways.start(others: others, logger: logger, now: { Date() })
        let database = try TestDatabase(at: folder.appending(path: "ledger.sqlite").path)
        ledger = Ledger(database)
        var settings = database.settings
        settings.pushDeadline = deadline
        server = try await NoroshiServer.open(
            settings: settings,
            servers: gateways.servers,
            logger: logger
        )
        workspace = try await server.store.createWorkspace(
            name: "Ledger",
            timeZone: "Asia/Tokyo",
            now: Date()
        )
        self.provider = provider
        platform = [.apns: "ios", .fcm: "android", .webPush: "web"][provider] ?? ""
        app = try await server.store.createApp(
            AppDraft(
                name: "Ledger",
                platform: platform,
                bundleID: provider == .webPush ? "https://ledger.noroshi.example/" : Self.bundleID,
                sdkKey: "sdk_ledger"
            ),
            in: workspace,
            noting: nil,
            now: Date()
        )
        try await gateways.admit(app, to: server)
    }

    func play(_ script: String) throws {
        let script = try FaultScript(json: Data(script.utf8))
        switch provider {
        case .apns: gateways.apns.play(script)
        case .fcm: gateways.fcm.play(script)
        case .webPush: gateways.webPush.play(script)
        }
    }

    /// A new user with a device.
    func device() async throws -> Device {
        let registration: PushRegistration
        let faultKey: String
        switch provider {
        case .apns:
            let token = gateways.apns.registerDevice(
                bundleID: Self.bundleID,
                environment: .sandbox
            )
            faultKey = token
            registration = PushRegistration(
                provider: .apns,
                token: token,
                environment: .sandbox,
                authorization: .authorized,
                registeredAt: Date(timeIntervalSince1970: 1_700_000_000)
            )
        case .fcm:
            let token = gateways.registerAndroid()
            faultKey = token
            registration = PushRegistration(
                provider: .fcm,
                token: token,
                authorization: .authorized,
                registeredAt: Date()
            )
        case .webPush:
            let key = try await server.credentials.applicationServerKey(of: app)
            let browser = gateways.webPush.subscribe(applicationServerKey: key)
            faultKey = String(browser.endpoint.dropFirst(gateways.webPush.origin.count))
            registration = PushRegistration(
                provider: .webPush,
                token: browser.endpoint,
                authorization: .authorized,
                publicKey: browser.publicKey,
                authenticationSecret: browser.authenticationSecret,
                registeredAt: Date()
            )
        }
        let installation = UUID()
        let user = "user-\(installation)"
        _ = try await server.store.ingest(
            [
                IngestRequest(
                    workspace: workspace,
                    source: .device(
                        SDKDevice(id: installation, platform: platform),
                        app: app.id
                    ),
                    items: [
                        IngestItem(
                            recordID: UUID(),
                            user: .external(user),
                            time: registration.registeredAt,
                            content: .pushRegistered(registration)
                        )
                    ]
                )
            ],
            now: Date()
        )
        guard let profile = try await server.store.profile(.external(user), in: workspace) else {
            throw Problem(description: "the user was not stored")
        }
        return Device(profile: profile.id, installation: installation, faultKey: faultKey)
    }

    func devices(_ count: Int) async throws -> [Device] {
        var devices: [Device] = []
        for _ in 0..<count { devices.append(try await device()) }
        return devices
    }

    func send(to devices: Device...) async throws { try await send(to: devices) }

    func send(to devices: [Device]) async throws {
        _ = try await server.composer.send(
            SendContent(
                message: PushMessage(title: "Ledger", body: "Line by line"),
                audience: .profiles(devices.map(\.profile))
            ),
            by: .commandLine(account: "mio", workspace)
        )
    }

    /// The row of a device's push once it has been tried.
    func outcome(of device: Device) async throws -> Row {
        try await row(of: device) { $0.attempts > 0 && $0.state != 1 }
    }

    /// The row of a device's push once a provider's answer stands in it, whether or not that
    /// counted as an attempt.
    func answer(for device: Device) async throws -> Row {
        try await row(of: device) { $0.reason != nil && $0.state != 1 }
    }

    /// The row of a device's push once nothing follows any more.
    func ending(of device: Device) async throws -> Row {
        try await row(of: device) { $0.isFinal }
    }

    private func row(of device: Device, _ isReached: (Row) -> Bool) async throws -> Row {
        let end = ContinuousClock.now + .seconds(600)
        var last: Row?
        while ContinuousClock.now < end {
            last = try await rows("devices.profile_id = \(device.profile.rawValue)").first
            if let last, isReached(last) { return last }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Problem(description: "\(device.faultKey) stands at \(String(describing: last))")
    }

    /// Rows of the ledger that fit a condition.
    func rows(_ condition: String) async throws -> [Row] {
        try await ledger.rows(
            """
            SELECT dispatches.state, reason, attempts, due_at,
                CASE WHEN push_token IS NULL THEN 0 ELSE 1 END
            FROM dispatches JOIN devices ON devices.id = dispatches.device_id
            WHERE \(condition)
            """
        ).map { values in
            func number(_ column: Int) throws -> Int {
                guard let number = values[column].flatMap({ Int($0) }) else {
                    throw Problem(description: "\(values) has no number at \(column)")
                }
                return number
            }
            return Row(
                state: try number(0),
                reason: values[1],
                hasToken: try number(4) == 1,
                attempts: try number(2),
                dueAt: Date(timeIntervalSince1970: Double(try number(3)) / 1000)
            )
        }
    }

    // MARK: What the provider took

    var acceptedCount: Int {
        switch provider {
        case .apns: gateways.apns.acceptedCount
        case .fcm: gateways.fcm.acceptedCount
        case .webPush: gateways.webPush.acceptedCount
        }
    }

    /// How often the provider took a push for a device.
    func copies(for device: Device) -> Int {
        switch provider {
        case .apns: gateways.apns.accepted.count { $0.deviceToken == device.faultKey }
        case .fcm: gateways.fcm.accepted.count { $0.deviceToken == device.faultKey }
        case .webPush:
            gateways.webPush.accepted.count { $0.endpoint.hasSuffix(device.faultKey) }
        }
    }
}
