import APNs
import Accounts
import Crypto
import Devices
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import NoroshiWire
import Ports
import PushHTTP

/// Everything in one process: the server, Apple's service in miniature, and a phone.
package struct Demo: Sendable {
    /// The bundle identifier of the app on the virtual phone.
    package static let topic = "dev.noroshi.teahouse"
    private static let appName = "Tea House"
    private static let userID = "ada"
    /// The first phone is always the same one, so that a demo with its own folder goes on.
    private static let phoneID = UUID(
        uuid: (
            0x6E, 0x6F, 0x72, 0x6F, 0x73, 0x68, 0x49, 0x00, 0x80, 0, 0, 0, 0, 0, 0, 1
        )
    )

    /// How somebody signs in for the first time.
    package struct Login: Sendable, Codable {
        package var email: String
        package var password: String
    }

    package let server: NoroshiServer
    package let login: Login
    package let workspace: WorkspaceID
    package let rack: PhoneRack
    package let simulator: APNsSimulator
    private let app: App
    private let folder: URL
    private let host: String

    /// Prepares a demo whose data is in `folder`; what is missing there is made.
    package init(
        folder: URL,
        host: String,
        port: Int,
        world: World = .live,
        logger: Logger
    ) async throws {
        self.folder = folder
        self.host = host
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        simulator = try await APNsSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger,
            now: world.now
        )
        rack = PhoneRack(simulator: simulator)
        let settings = Settings(
            databasePath: folder.appending(path: "noroshi.sqlite").path,
            host: host,
            port: port
        )
        server = try NoroshiServer(
            settings: settings,
            world: world,
            apns: .single(
                APNsConfiguration.Server(
                    host: simulator.host,
                    port: simulator.port,
                    trust: .authorities(pem: simulator.authorityPEM)
                )
            ),
            logger: logger
        )
        let store = server.store
        if let known = try await store.workspaces().first {
            workspace = known.id
        } else {
            workspace = try await store.createWorkspace(
                name: Self.appName,
                timeZone: TimeZone.current.identifier,
                now: world.now()
            )
        }
        if let known = try await store.apps(in: workspace).first {
            app = known
        } else {
            app = try await store.createApp(
                AppDraft(
                    name: Self.appName,
                    platform: "ios",
                    bundleID: Self.topic,
                    sdkKey: "sdk_" + server.accounts.token()
                ),
                in: workspace,
                now: world.now()
            )
        }
        // What the tea house's own back end would tell of its customer.
        _ = try await store.ingest(
            [
                IngestRequest(
                    workspace: workspace,
                    source: .api,
                    items: [
                        IngestItem(
                            recordID: nil,
                            user: .external(Self.userID),
                            time: world.now(),
                            content: .attributes(
                                AttributeChanges([
                                    "first_name": "Ada", "last_name": "Ito", "country": "JP",
                                    "favourite_tea": "sencha",
                                ])
                            )
                        )
                    ]
                )
            ],
            now: world.now()
        )
        login = try await Self.login(folder, server.accounts, workspace)
        try await Self.allowPushes(of: app, server.vault, simulator)
    }

    /// The sign-in of the demo's administrator; kept in a file that only its owner can read.
    private static func login(
        _ folder: URL,
        _ accounts: AccountService,
        _ workspace: WorkspaceID
    ) async throws -> Login {
        let file = folder.appending(path: "login.json")
        if let data = try? Data(contentsOf: file) {
            return try JSONDecoder().decode(Login.self, from: data)
        }
        let login = Login(
            email: "demo@noroshi.example",
            password: String(accounts.token().prefix(14))
        )
        _ = try await accounts.createMember(
            name: "Demo",
            email: login.email,
            password: login.password,
            role: .administrator,
            in: workspace
        )
        let data = try JSONEncoder().encode(login)
        guard
            FileManager.default.createFile(
                atPath: file.path,
                contents: data,
                attributes: [.posixPermissions: 0o600]
            )
        else { throw Settings.Problem(key: "data", message: "names a folder without write access") }
        return login
    }

    /// Makes a signing key, or takes the one of last time, and shows it to both sides.
    private static func allowPushes(
        of app: App,
        _ vault: CredentialVault,
        _ simulator: APNsSimulator
    ) async throws {
        let team = "TEAHOUSE01"
        let keyID = "DEMOKEY001"
        let key: P256.Signing.PrivateKey
        if case .token(_, _, let pem)? = try await vault.credentials(
            APNsCredentials.self,
            app: app.id,
            provider: .apns
        ) {
            key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } else {
            key = P256.Signing.PrivateKey()
            try await vault.save(
                APNsCredentials.token(
                    keyID: keyID,
                    teamID: team,
                    privateKeyPEM: key.pemRepresentation
                ),
                app: app.id,
                provider: .apns
            )
        }
        simulator.register(
            try APNsSigningKey(
                teamID: team,
                keyID: keyID,
                publicKeyPEM: key.publicKey.pemRepresentation
            )
        )
    }

    /// Runs the demo until the process is told to stop or `until` returns; `onReady` is called with the server's
    /// address when the phone is on.
    package func run(
        handlesSignals: Bool = true,
        until: @escaping @Sendable () async -> Void = NoroshiServer.forever,
        onReady: @escaping @Sendable (String, VirtualPhone) async -> Void
    ) async throws {
        let failure = FailureBox()
        try await server.run(
            phones: rack,
            handlesSignals: handlesSignals,
            until: until,
            onRunning: { port in
                do {
                    let address = "http://\(host):\(port)"
                    await onReady(address, try await startPhone(address))
                } catch {
                    await failure.set(error)
                }
            }
        )
        await rack.stop()
        await simulator.stop()
        if let error = await failure.error { throw error }
    }

    private actor FailureBox {
        private(set) var error: (any Error)?

        func set(_ error: any Error) { self.error = error }
    }

    private func startPhone(_ address: String) async throws -> VirtualPhone {
        await rack.connect(
            PhoneRack.Settings(
                endpoint: address,
                sdkKey: app.sdkKey,
                appName: app.name,
                topic: app.bundleID,
                folder: folder.appending(path: "phones")
            )
        )
        return try await rack.add(
            id: Self.phoneID,
            name: "Ada’s iPhone",
            language: "en",
            user: Self.userID
        )
    }
}
