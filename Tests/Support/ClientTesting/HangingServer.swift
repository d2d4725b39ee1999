import Foundation
import NoroshiOutbox

/// A server that says nothing until it is told to.
package final class HangingServer: NoroshiTransport {
    private struct State {
        var requests = 0
        var isOpen = false
        var waiting: [UUID: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Locked(State())
    private let server: any NoroshiTransport
    private let hearsOfCancellation: Bool

    /// Answers as `server` does once it is opened. One that does not hear of cancellation keeps
    /// its requests waiting when their tasks are cancelled.
    package init(_ server: any NoroshiTransport, hearsOfCancellation: Bool = true) {
        self.server = server
        self.hearsOfCancellation = hearsOfCancellation
    }

    /// Requests that have arrived.
    package var requestCount: Int { state.withLock { $0.requests } }

    /// Answers what waits and what comes.
    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: true) }
    }

    package func send(_ request: NoroshiRequest) async throws -> NoroshiResponse {
        let id = UUID()
        let isAnswered = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    state.requests += 1
                    if !state.isOpen { state.waiting[id] = continuation }
                    return state.isOpen
                }
                if isOpen { continuation.resume(returning: true) }
            }
        } onCancel: {
            guard hearsOfCancellation else { return }
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: false)
        }
        guard isAnswered else { throw CancellationError() }
        return try await server.send(request)
    }
}
