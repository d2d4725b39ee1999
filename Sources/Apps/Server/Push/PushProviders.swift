import APNs
import Accounts
import FCM
import Foundation
import Logging
import Model
import NIOCore
import Ports
import PushHTTP
import WebPush

/// The clients of Apple, Firebase and the browsers' services, over the stored credentials.
package struct PushProviders: Sendable {
    private let apns: APNsTransport
    private let fcm: FCMTransport
    private let webPush: WebPushTransport
    private let desk: CredentialDesk

    init(
        servers: PushServers,
        store: any AccountStore & WorkspaceStore,
        vault: CredentialVault,
        desk: CredentialDesk,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) throws {
        self.desk = desk
        apns = APNsTransport(
            configuration: servers.apns,
            credentials: { bundleID, _ in
                for workspace in try await store.workspaces() {
                    for app in try await store.apps(in: workspace.id)
                    where app.bundleID == bundleID {
                        if let stored = try await desk.apns(of: app) { return stored }
                    }
                }
                return nil
            },
            eventLoops: eventLoops,
            logger: logger,
            now: now
        )
        fcm = try FCMTransport(
            configuration: servers.fcm,
            credentials: {
                try await vault.credentials(FCMCredentials.self, app: $0, provider: .fcm)
            },
            eventLoops: eventLoops,
            logger: logger,
            now: now
        )
        webPush = WebPushTransport(
            policy: servers.webPush,
            keys: WebPushSenderKeys(lifetime: servers.webPushKeyLifetime),
            credentials: {
                try await vault.credentials(WebPushCredentials.self, app: $0, provider: .webPush)
            },
            eventLoops: eventLoops,
            logger: logger,
            now: now
        )
    }

    var transports: [PushProvider: any PushTransport] {
        [.apns: apns, .fcm: fcm, .webPush: webPush]
    }

    /// Uses an app's new credentials at once.
    func forgetCredentials(of app: App) {
        apns.forgetCredentials(bundleID: app.bundleID)
        fcm.forgetCredentials(app: app.id)
        webPush.forgetCredentials(app: app.id)
    }

    /// Tries what is stored for an app: Apple and Google are asked with the tokens that are in use
    /// already, a VAPID key is checked by itself.
    package func test(_ app: App) async throws -> [CredentialTrial] {
        var trials: [CredentialTrial] = []
        if let credentials = try await desk.apns(of: app) {
            for environment in APNsEnvironment.allCases {
                let problem = credentials.problem(
                    bundleID: app.bundleID,
                    environment: environment,
                    now: .distantPast
                )
                // A certificate for one environment is not tried in the other.
                if problem?.reason == "BadCertificateEnvironment" { continue }
                trials.append(
                    CredentialTrial(
                        target: "APNs \(environment.rawValue)",
                        result: await apns.testCredentials(
                            bundleID: app.bundleID,
                            environment: environment
                        )
                    )
                )
            }
        }
        if try await desk.fcm(of: app) != nil {
            trials.append(
                CredentialTrial(
                    target: "Firebase",
                    result: await fcm.testCredentials(app: app.id)
                )
            )
        }
        if let credentials = try await desk.webPush(of: app) {
            let result: PushCredentialTest =
                credentials.problem.map { .refused(reason: $0.field, advice: $0.description) }
                ?? .works
            trials.append(CredentialTrial(target: "Web Push", result: result))
        }
        return trials
    }

    /// Lets the pushes in flight end for as long as `grace`.
    func shutDown(grace: Duration) async {
        await withTaskGroup { group in
            group.addTask { await apns.shutDown(grace: grace) }
            group.addTask { await fcm.shutDown(grace: grace) }
            group.addTask { await webPush.shutDown(grace: grace) }
        }
    }
}

/// How one provider answered when an app's credentials were tried.
package struct CredentialTrial: Sendable, Hashable {
    /// Such as `APNs sandbox`.
    package var target: String
    package var result: PushCredentialTest
}
