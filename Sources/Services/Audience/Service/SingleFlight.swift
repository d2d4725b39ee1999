/// Runs one task at a time and coalesces callers: a coalesced call returns without working if a run
/// that started after it has succeeded.
actor SingleFlight {
    private var isTaken = false
    private var begun = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `work` exclusively.
    func take<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        while isTaken { await withCheckedContinuation { waiting.append($0) } }
        return try await run(work)
    }

    /// Runs `work` exclusively, unless a run that started after this call has succeeded.
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
