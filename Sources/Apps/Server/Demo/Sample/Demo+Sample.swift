import Foundation

extension Demo {
    /// Adds a year of other guests, what they did and what was sent to them, unless it is there
    /// already. To be called before the demo runs.
    ///
    /// - Parameter progress: Called with the number of days that are written.
    package func addSample(_ progress: @escaping @Sendable (Int) -> Void) async throws {
        let year = SampleYear(server.store, workspace, apps: apps, until: now())
        for (platform, token) in year.devices {
            if let app = apps[platform] { gateways.admit(token, of: app) }
        }
        guard try await !year.isWritten else { return }
        try await server.keepingPlace { try await year.write(progress) }
    }
}
