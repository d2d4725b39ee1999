import Logging
import Model
import Ports
import Reasons
import ServiceLifecycle

/// Logs the credentials that expire soon, at the start and once a day.
package struct CredentialExpiryMonitor: Service {
    private static let pause: Duration = .seconds(86_400)

    private let store: any WorkspaceStore
    private let credentials: CredentialService
    private let logger: Logger

    package init(store: any WorkspaceStore, credentials: CredentialService, logger: Logger) {
        self.store = store
        self.credentials = credentials
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await look()
                    try await Task.sleep(for: Self.pause)
                } catch is CancellationError {
                    return
                } catch {
                    logger.error(
                        "the push credentials could not be looked through",
                        metadata: ["credentials.error": "\(error)"]
                    )
                    // A cancelled sleep ends the loop above.
                    try? await Task.sleep(for: .seconds(60))
                }
            }
        }
    }

    /// Checks once and logs a line per warning.
    private func look() async throws {
        for workspace in try await store.workspaces() {
            for (app, reason) in try await credentials.warnings(in: workspace.id) {
                logger.warning(
                    "\(reason)",
                    metadata: ["app.id": "\(app.id)", "app.name": "\(app.name)"]
                )
            }
        }
    }
}
