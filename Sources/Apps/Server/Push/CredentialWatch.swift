import Logging
import Model
import Ports
import ServiceLifecycle

/// Says in the log which credentials end soon, at the start and once a day.
struct CredentialWatch: Service {
    private static let pause: Duration = .seconds(86_400)

    let store: any AccountStore & WorkspaceStore
    let desk: CredentialDesk
    let logger: Logger

    func run() async throws {
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

    /// One look; a line in the log for each warning.
    func look() async throws {
        for workspace in try await store.workspaces() {
            for (app, text) in try await desk.warnings(in: workspace.id) {
                logger.warning(
                    "\(text)",
                    metadata: ["app.id": "\(app.id)", "app.name": "\(app.name)"]
                )
            }
        }
    }
}
