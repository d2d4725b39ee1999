/// Lets one task after another through, and spares those who waited the work that another one
/// began after they came.
actor Turns {
    private var isTaken = false
    private var begun = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `work` when nobody else does.
    func take<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        while isTaken { await withCheckedContinuation { waiting.append($0) } }
        return try await run(work)
    }

    /// The same, unless another turn has begun since this call and is over.
    func share(_ work: @Sendable () async throws -> Void) async throws {
        let seen = begun
        while isTaken {
            await withCheckedContinuation { waiting.append($0) }
            if begun > seen, !isTaken, lastSucceeded { return }
        }
        try await run(work)
    }

    private var lastSucceeded = true

    private func run<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        isTaken = true
        begun += 1
        lastSucceeded = false
        defer {
            isTaken = false
            let all = waiting
            waiting = []
            for continuation in all { continuation.resume() }
        }
        let value = try await work()
        lastSucceeded = true
        return value
    }
}
