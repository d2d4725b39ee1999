import Synchronization

/// Runs numbered jobs on several workers, each with its own state.
enum WorkerPool {
    /// Hands out job numbers; faster workers take more.
    private final class Counter: Sendable {
        private let next = Atomic<Int>(0)

        func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
    }

    /// The results in the order of the jobs. Stops early if the surrounding task is cancelled.
    static func map<State, Result: Sendable>(
        _ pieces: Int,
        workers: Int,
        state makeState: @escaping @Sendable () -> State,
        each body: @escaping @Sendable (inout State, Int) -> Result
    ) async throws -> [Result] {
        guard workers > 1, pieces > 1 else {
            var state = makeState()
            var results: [Result] = []
            for piece in 0..<pieces {
                try Task.checkCancellation()
                results.append(body(&state, piece))
            }
            return results
        }
        let counter = Counter()
        return try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
            for _ in 0..<min(workers, pieces) {
                group.addTask {
                    var state = makeState()
                    var results: [(Int, Result)] = []
                    while true {
                        let piece = counter.take()
                        guard piece < pieces else { return results }
                        try Task.checkCancellation()
                        results.append((piece, body(&state, piece)))
                    }
                }
            }
            var ordered: [Result?] = Array(repeating: nil, count: pieces)
            for try await results in group {
                for (piece, result) in results { ordered[piece] = result }
            }
            return ordered.compactMap(\.self)
        }
    }
}
