import Foundation

extension Recorder {
    /// Sends waiting records, for at most `seconds`; the others keep waiting.
    /// - Returns: Whether everything was sent.
    @discardableResult
    package func flush(within seconds: TimeInterval) async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // A task group would wait for the slower of the two tasks.
            let waiting = Locked<CheckedContinuation<Void, Never>?>(continuation)
            let proceed: @Sendable () -> Void = {
                let continuation = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                continuation?.resume()
            }
            let limit = Task {
                do {
                    try await dependencies.sleep(seconds)
                } catch {
                    return  // Everything was sent in time.
                }
                uploader.cancel()
                // Do not wait for a transport that ignores cancellation.
                try? await dependencies.sleep(0.2)
                proceed()
            }
            Task {
                await uploader.flush()
                limit.cancel()
                proceed()
            }
        }
        return (try? store.pendingCount()) == 0
    }
}
