import Audience
import Foundation
import Logging
import Server
import StoreSQL

/// The audience of a command that has to evaluate segments without a server.
enum CommandAudience {
    /// Timeout for reading it into memory.
    private static let patience: Duration = .seconds(60)

    /// For verbs that look at no segment: nothing is read into memory.
    static func withoutUsers<Value>(
        _ store: SQLStore,
        _ body: (SegmentationService) async throws -> Value
    ) async throws -> Value {
        try await body(
            SegmentationService(
                store: store,
                now: ServerDependencies.live.now,
                logger: .command(.error)
            )
        )
    }

    /// Reads the audience into memory first, as the server does at its start.
    static func with<Value>(
        _ store: SQLStore,
        _ body: (SegmentationService) async throws -> Value
    ) async throws -> Value {
        let audience = SegmentationService(
            store: store,
            now: ServerDependencies.live.now,
            logger: .command(.error)
        )
        let running = Task { try await audience.run() }
        defer { running.cancel() }
        let end = ContinuousClock.now + patience
        while !audience.status.isReady, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        return try await body(audience)
    }
}
