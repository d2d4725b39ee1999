import Ports

extension SQLStore: UserEventIndexStore {
    package func indexEvents(_ count: Int) async throws -> Bool {
        // Most looks find too few, and nobody who writes waits for them.
        guard try await read({ try UserEventIndex($0).hasNext(count) }) else { return false }
        return try await write { try UserEventIndex($0).addNext(count) }
    }
}
