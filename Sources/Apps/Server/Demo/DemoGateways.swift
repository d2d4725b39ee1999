import APNs
import Credentials
import Crypto
import Devices
import FCM
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import PushHTTP
import WebPush

/// Simulators of Apple's, Google's and a browser's push services, and the credentials of the demo's
/// apps.
package struct DemoGateways: Sendable {
    private static let project = "teahouse-demo"
    private static let team = "TEAHOUSE01"
    private static let keyID = "DEMOKEY001"

    package let apns: APNsSimulator
    package let fcm: FCMSimulator
    package let webPush: WebPushSimulator

    /// - Parameter others: The configuration of Google's and the browser's services.
    package static func start(
        others: GatewayConfiguration = GatewayConfiguration(),
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) async throws -> DemoGateways {
        let eventLoops = MultiThreadedEventLoopGroup.singleton
        return DemoGateways(
            apns: try await .start(eventLoops: eventLoops, logger: logger, now: now),
            fcm: try await .start(others, eventLoops: eventLoops, logger: logger, now: now),
            webPush: try await .start(others, eventLoops: eventLoops, logger: logger, now: now)
        )
    }

    package func stop() async {
        await apns.stop()
        await fcm.stop()
        await webPush.stop()
    }

    /// The addresses of the simulators for the server.
    package var servers: PushEndpoints {
        var servers = PushEndpoints()
        servers.apns = .single(
            APNsConfiguration.Server(
                host: apns.host,
                port: apns.port,
                trust: .authorities(pem: apns.authorityPEM)
            )
        )
        let google = PushHTTPEndpoint(
            host: fcm.host,
            port: fcm.port,
            security: .tls(trust: .authorities(pem: fcm.authorityPEM), identity: nil)
        )
        servers.fcm.server = google
        servers.fcm.tokenServer = google
        servers.webPush.simulators = [webPush.origin: .authorities(pem: webPush.authorityPEM)]
        return servers
    }

    /// Creates the push credentials of an app, or reuses the stored ones, and registers them on
    /// both sides.
    package func admit(_ app: App, to server: NoroshiServer) async throws {
        let actor = Actor.commandLine(account: NSUserName(), app.workspace)
        switch app.platform {
        case "android":
            // The account contains the simulator's address, which changes at every start.
            let known = try await server.providerCredentials.fcm(of: app.id)?.privateKey
            let account = try fcm.makeServiceAccount(
                project: Self.project,
                privateKeyPEM: known
            )
            try await server.credentials.save(.fcmAccount(json: account), of: app, by: actor)
        case "web":
            try await server.credentials.save(
                .vapidKey(
                    privateKey: nil,
                    contact: "mailto:demo@noroshi.example",
                    site: app.bundleID
                ),
                of: app,
                by: actor
            )
        default:
            try await admitApple(app, to: server, by: actor)
        }
    }

    private func admitApple(
        _ app: App,
        to server: NoroshiServer,
        by actor: Actor
    ) async throws {
        let key: P256.Signing.PrivateKey
        if case .token(_, _, let pem)? = try await server.providerCredentials.apns(of: app.id) {
            key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } else {
            key = P256.Signing.PrivateKey()
            try await server.credentials.save(
                .apnsKey(
                    p8: Array(key.pemRepresentation.utf8),
                    keyID: Self.keyID,
                    teamID: Self.team
                ),
                of: app,
                by: actor
            )
        }
        apns.register(
            try APNsSigningKey(
                teamID: Self.team,
                keyID: Self.keyID,
                publicKeyPEM: key.publicKey.pemRepresentation
            )
        )
    }

    /// Lets a push service know a device that no virtual phone stands for.
    func admit(_ token: String, of app: App) {
        switch app.platform {
        case "ios":
            apns.registerDevice(token: token, bundleID: app.bundleID, environment: .sandbox)
        case "android": _ = fcm.registerDevice(project: Self.project, token: token)
        default: break
        }
    }

    /// Registers an Android device, for a sender that needs no virtual phone.
    package func registerAndroid() -> String { fcm.registerDevice(project: Self.project) }

    /// The Android side of Firebase.
    var firebase: any MessageService { SimulatedFirebase(simulator: fcm, project: Self.project) }

    /// The browser side of its push service, for a page that subscribes with `key`.
    func browser(applicationServerKey key: String?) -> any MessageService {
        SimulatedBrowserPush(simulator: webPush, applicationServerKey: key)
    }
}
