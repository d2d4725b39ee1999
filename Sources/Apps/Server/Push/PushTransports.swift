import APNs
import Credentials
import FCM
import Foundation
import Logging
import Model
import Monitoring
import NIOCore
import Ports
import PushHTTP
import Reasons
import Servers
import WebPush

/// The clients of Apple, Firebase and the browsers' services, with the stored credentials.
package struct PushTransports: PushCredentialTests {
    private let apns: APNsTransport
    private let fcm: FCMTransport
    private let webPush: WebPushTransport
    private let credentials: ProviderCredentials

    init(
        servers: PushEndpoints,
        store: any AccountStore & WorkspaceStore,
        credentials: ProviderCredentials,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        share: ServerShare,
        now: @escaping @Sendable () -> Date
    ) throws {
        self.credentials = credentials
        apns = APNsTransport(
            configuration: servers.apns,
            credentials: { bundleID, _ in
                for workspace in try await store.workspaces() {
                    for app in try await store.apps(in: workspace.id)
                    where app.bundleID == bundleID {
                        if let stored = try await credentials.apns(of: app.id) { return stored }
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
            credentials: { try await credentials.fcm(of: $0) },
            eventLoops: eventLoops,
            logger: logger,
            servers: { share.servers(in: .delivery) },
            now: now
        )
        webPush = WebPushTransport(
            policy: servers.webPush,
            keys: WebPushSenderKeys(lifetime: servers.webPushKeyLifetime),
            credentials: { try await credentials.webPush(of: $0) },
            eventLoops: eventLoops,
            logger: logger,
            now: now
        )
    }

    var transports: [PushProvider: any PushTransport] {
        [.apns: apns, .fcm: fcm, .webPush: webPush]
    }

    /// The same, with a span for each push if there are spans.
    ///
    /// - Parameter traces: Those of the requests that the pushes come from.
    func transports(
        in spans: Spans,
        _ traces: SendTraces
    ) -> [PushProvider: any PushTransport] {
        guard spans.isOn else { return transports }
        return Dictionary(
            uniqueKeysWithValues: transports.map { provider, transport in
                (
                    provider,
                    TracedTransport(
                        inner: transport,
                        provider: provider,
                        spans: spans,
                        traces: traces
                    )
                )
            }
        )
    }

    /// Makes an app's new credentials take effect now.
    package func forgetCredentials(of app: App) {
        apns.forgetCredentials(bundleID: app.bundleID)
        fcm.forgetCredentials(app: app.id)
        webPush.forgetCredentials(app: app.id)
    }

    /// Tests an app's stored credentials: with Apple and Google through the current tokens, a VAPID
    /// key locally.
    package func testCredentials(of app: App) async throws -> [CredentialTestResult] {
        var trials: [CredentialTestResult] = []
        if let credentials = try await credentials.apns(of: app.id) {
            for environment in APNsEnvironment.allCases {
                let problem = credentials.problem(
                    bundleID: app.bundleID,
                    environment: environment,
                    now: .distantPast
                )
                // A certificate for one environment is not tried in the other.
                if problem?.code == .certificateEnvironment { continue }
                trials.append(
                    CredentialTestResult(
                        target: "APNs \(environment.rawValue)",
                        result: await apns.testCredentials(
                            bundleID: app.bundleID,
                            environment: environment
                        )
                    )
                )
            }
        }
        if try await credentials.fcm(of: app.id) != nil {
            trials.append(
                CredentialTestResult(
                    target: "Firebase",
                    result: await fcm.testCredentials(app: app.id)
                )
            )
        }
        if let credentials = try await credentials.webPush(of: app.id) {
            let result: CredentialTestOutcome =
                credentials.problem.map { .refused(reason: $0.field, advice: $0.message) }
                ?? .works
            trials.append(CredentialTestResult(target: "Web Push", result: result))
        }
        return trials
    }

    /// Waits up to `grace` for the pushes in flight.
    func shutDown(grace: Duration) async {
        await withTaskGroup { group in
            group.addTask { await apns.shutDown(grace: grace) }
            group.addTask { await fcm.shutDown(grace: grace) }
            group.addTask { await webPush.shutDown(grace: grace) }
        }
    }
}
