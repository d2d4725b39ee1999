import Synchronization

/// Limits the number of concurrent calls per host; further calls wait in order of arrival, up to a
/// number of them.
final class HostConcurrencyLimiter: Sendable {
    private struct Host {
        var running = 0
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let limit: Int
    private let waitingLimit: Int
    private let hosts = Mutex<[String: Host]>([:])

    /// - Parameter waitingLimit: `nil` if any number of calls may wait.
    init(limit: Int, waitingLimit: Int? = nil) {
        self.limit = limit
        self.waitingLimit = waitingLimit ?? .max
    }

    /// Waits for a permit, to be given back with `leave`.
    ///
    /// - Returns: `false` if too many calls wait already.
    func enter(_ name: String) async -> Bool {
        await withCheckedContinuation { continuation in
            let isAdmitted: Bool? = hosts.withLock { hosts in
                var host = hosts[name, default: Host()]
                defer { hosts[name] = host }
                guard host.running >= limit else {
                    host.running += 1
                    return true
                }
                guard host.waiting.count < waitingLimit else { return false }
                host.waiting.append(continuation)
                return nil
            }
            if let isAdmitted { continuation.resume(returning: isAdmitted) }
        }
    }

    func leave(_ name: String) {
        let next: CheckedContinuation<Bool, Never>? = hosts.withLock { hosts in
            guard var host = hosts[name] else { return nil }
            guard host.waiting.isEmpty else {
                // Pass the permit on to the next caller.
                let next = host.waiting.removeFirst()
                hosts[name] = host
                return next
            }
            host.running -= 1
            hosts[name] = host.running == 0 ? nil : host
            return nil
        }
        next?.resume(returning: true)
    }
}
