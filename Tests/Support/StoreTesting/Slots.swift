/// Lets a few of many tests do something at once: Swift Testing starts all of them, and a server of
/// PostgreSQL has a limited number of connections.
package actor Slots {
    /// For tests that have stores on PostgreSQL.
    package static let postgres = Slots(12)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ count: Int) { free = count }

    package nonisolated func run<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        await take()
        do {
            let value = try await body()
            await give()
            return value
        } catch {
            await give()
            throw error
        }
    }

    private func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func give() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
