import Foundation

extension Demo {
    /// Adds a year of other guests, what they did and what was sent to them, unless it is there
    /// already. To be called before the demo runs.
    ///
    /// - Parameter progress: Called with the share that is written, from 0 to 1.
    package func addSample(_ progress: @escaping @Sendable (Double) -> Void) async throws {
        let year = SampleYear(server.store, workspace, apps: apps, until: now())
        for (platform, token) in year.devices {
            if let app = apps[platform] { gateways.admit(token, of: app) }
        }
        guard try await !year.isWritten else { return }
        try await year.write { day in
            progress(Double(day) / Double(SampleYear.usualDays))
        }
    }
}
