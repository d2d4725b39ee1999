import Accounts
import Credentials
import Devices
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Reasons
import StoreSQL

/// The whole system in one process: the server, simulated push providers, and phones.
package struct Demo: Sendable {
    /// The credentials for the first sign-in.
    package struct Login: Sendable, Codable {
        package var email: String
        package var password: String
    }

    /// The devices of the demo: one for each platform.
    package struct Phones: Sendable {
        package let apple: VirtualPhone
        package let android: PortableSDKDevice
        package let browser: PortableSDKDevice
    }

    /// Servers that work beside the demo's own one.
    package struct Companions: Sendable {
        package var count: Int
        /// The program that knows `serve`.
        package var program: String

        package init(_ count: Int, program: String) {
            self.count = count
            self.program = program
        }
    }

    private static let name = "Tea House"

    /// The servers beside its own one; `nil` without.
    package let companions: DemoServers?
    package let server: NoroshiServer
    package let login: Login
    package let workspace: WorkspaceID
    package let rack: VirtualPhones
    package let gateways: DemoGateways
    /// By platform.
    let apps: [String: App]
    private let folder: URL
    private let host: String
    package let clock: DemoClock
    let now: @Sendable () -> Date

    /// Prepares a demo with its data in `folder`; missing parts are created.
    ///
    /// - Parameters:
    ///   - database: Where its rows are; in the folder, too, without it.
    ///   - companions: Servers beside its own one, on PostgreSQL.
    package init(
        folder: URL,
        database: DatabaseLocation? = nil,
        companions: Companions? = nil,
        host: String,
        port: Int,
        dependencies: ServerDependencies = .live,
        logger: Logger
    ) async throws {
        self.folder = folder
        self.host = host
        // The contents are private to the owner.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let clock = DemoClock(source: dependencies.now, file: folder.appending(path: "clock.json"))
        var dependencies = dependencies
        dependencies.now = { clock.now }
        self.clock = clock
        now = dependencies.now
        gateways = try await DemoGateways.start(logger: logger, now: dependencies.now)
        // The clocks of the other servers do not move with it.
        rack = VirtualPhones(simulator: gateways.apns, clock: companions == nil ? clock : nil)
        let file = folder.appending(path: "noroshi.sqlite").path
        // Nobody else has the demo's key.
        _ = try SecretKey.load(path: file + ".key", random: dependencies.random)
        let others: DemoServers? =
            if let companions {
                try await DemoServers(
                    companions.count,
                    database: database,
                    program: companions.program,
                    folder: folder,
                    gateways: gateways
                )
            } else { nil }
        self.companions = others
        var settings = Settings(
            database: others?.database ?? database ?? .file(file),
            host: host,
            port: port
        )
        settings.secretKeyPath = file + ".key"
        settings.node = companions == nil ? settings.node : "demo"
        do {
            server = try await NoroshiServer.open(
                settings: settings,
                dependencies: dependencies,
                servers: gateways.servers,
                logger: logger
            )
        } catch {
            others?.stop()
            throw error
        }
        do {
            (workspace, apps, login) = try await server.keepingPlace {
                [server, gateways, now] in
                let workspace = try await Self.workspace(of: server.store, now: now())
                let apps = try await Self.makeApps(server, workspace)
                try await Self.tellOfGuests(server.store, workspace, now: now())
                let login = try await Self.login(folder, server, workspace)
                for app in apps.values { try await gateways.admit(app, to: server) }
                return (workspace, apps, login)
            }
        } catch {
            others?.stop()
            throw error
        }
    }

    private static func workspace(of store: any Store, now: Date) async throws -> WorkspaceID {
        if let known = try await store.workspaces().first { return known.id }
        return try await store.createWorkspace(
            name: name,
            timeZone: TimeZone.current.identifier,
            now: now
        )
    }

    private static func makeApps(
        _ server: NoroshiServer,
        _ workspace: WorkspaceID
    ) async throws -> [String: App] {
        var apps: [String: App] = [:]
        for app in try await server.apps.apps(in: workspace) where apps[app.platform] == nil {
            apps[app.platform] = app
        }
        for (platform, name, identifier) in [
            ("ios", name, "dev.noroshi.teahouse"),
            ("android", "\(name) for Android", "dev.noroshi.teahouse.android"),
            ("web", "\(name) on the web", "https://teahouse.noroshi.example/"),
        ] where apps[platform] == nil {
            apps[platform] = try await server.apps.create(
                name: name,
                platform: platform,
                identifier: identifier,
                by: .commandLine(account: NSUserName(), workspace)
            )
        }
        return apps
    }

    /// Imports the data about guests that the tea house's own back end would send.
    private static func tellOfGuests(
        _ store: any Store,
        _ workspace: WorkspaceID,
        now: Date
    ) async throws {
        let items = DemoGuest.all.map { guest in
            IngestItem(
                recordID: nil,
                user: .external(guest.id),
                time: now,
                content: .attributes(AttributeChanges(guest.attributes))
            )
        }
        _ = try await store.ingest(
            [IngestRequest(workspace: workspace, source: .api, items: items)],
            now: now
        )
    }

    /// The sign-in of the demo's administrator, stored in a file that only its owner can read.
    private static func login(
        _ folder: URL,
        _ server: NoroshiServer,
        _ workspace: WorkspaceID
    ) async throws -> Login {
        let file = folder.appending(path: "login.json")
        if let data = try? Data(contentsOf: file) {
            return try JSONDecoder().decode(Login.self, from: data)
        }
        let login = Login(
            email: "demo@noroshi.example",
            password: String(server.accounts.token().prefix(14))
        )
        _ = try await server.members.add(
            MemberDirectory.Draft(
                email: login.email,
                name: "Demo",
                role: .administrator,
                password: login.password
            ),
            by: .commandLine(account: NSUserName(), workspace)
        )
        let data = try JSONEncoder().encode(login)
        guard
            FileManager.default.createFile(
                atPath: file.path,
                contents: data,
                attributes: [.posixPermissions: 0o600]
            )
        else { throw SettingError("data", .folderReadOnly) }
        return login
    }

    /// Runs the demo until the process is told to stop or `until` returns. Calls `onReady` with the
    /// server's URL once the phones are on.
    package func run(
        handlesSignals: Bool = true,
        until: @escaping @Sendable () async -> Void = NoroshiServer.forever,
        onReady: @escaping @Sendable (String, Phones) async -> Void
    ) async throws {
        let failure = FirstFailure()
        // Also where the server ends by itself.
        defer { companions?.stop() }
        try await server.run(
            phones: rack,
            handlesSignals: handlesSignals,
            until: until,
            onRunning: { port in
                do {
                    let address = "http://\(host):\(port)"
                    await onReady(address, try await startPhones(address))
                } catch {
                    await failure.set(error)
                }
            }
        )
        await rack.stop()
        await gateways.stop()
        if let error = await failure.error { throw error }
    }

    /// Runs the demo, without signal handlers, for as long as `body` takes once the phones are on.
    package func run(
        while body: @escaping @Sendable (_ address: String, Phones) async throws -> Void
    ) async throws {
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        let (ready, found) = AsyncStream.makeStream(of: (String, Phones).self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await run(
                    handlesSignals: false,
                    until: { for await _ in end {} },
                    onReady: {
                        found.yield(($0, $1))
                        found.finish()
                    }
                )
            }
            group.addTask {
                defer { ending.finish() }
                for await (address, phones) in ready { try await body(address, phones) }
            }
            try await group.waitForAll()
        }
    }

    private actor FirstFailure {
        private(set) var error: (any Error)?

        func set(_ error: any Error) { self.error = error }
    }

    private func startPhones(_ address: String) async throws -> Phones {
        guard let ios = apps["ios"], let android = apps["android"], let web = apps["web"] else {
            throw SettingError("data", .folderOfAnotherDemo)
        }
        let folder = folder.appending(path: "phones")
        await rack.connect(
            VirtualPhones.Settings(
                endpoint: address,
                sdkKey: ios.sdkKey,
                appName: ios.name,
                topic: ios.bundleID,
                folder: folder
            ),
            weeks: PhoneWeeks(
                store: server.store,
                workspace: workspace,
                rehearsals: server.rehearsals,
                now: now
            )
        )
        let guests = DemoGuest.all
        let apple = try await rack.add(
            id: guests[0].phone,
            name: guests[0].phoneName,
            language: "en",
            user: guests[0].id
        )
        let key = try await server.credentials.applicationServerKey(of: web)
        return Phones(
            apple: apple,
            android: try await addPhone(
                .android,
                of: guests[1],
                android,
                address,
                gateways.firebase
            ),
            browser: try await addPhone(
                .web,
                of: guests[2],
                web,
                address,
                gateways.browser(applicationServerKey: key)
            )
        )
    }

    private func addPhone(
        _ kind: PortableSDKDevice.Kind,
        of guest: DemoGuest,
        _ app: App,
        _ address: String,
        _ service: any MessageService
    ) async throws -> PortableSDKDevice {
        var settings = VirtualPhoneSettings(
            id: guest.phone,
            name: guest.phoneName,
            appName: Self.name,
            topic: app.bundleID,
            apiKey: app.sdkKey,
            endpoint: address,
            container: folder.appending(path: "phones/\(guest.phone.uuidString.lowercased())")
        )
        settings.user = guest.id
        settings.flushInterval = 0.2
        let phone = PortableSDKDevice(kind: kind, settings: settings, service: service, now: now)
        try await rack.adopt(phone, name: guest.phoneName)
        return phone
    }
}
