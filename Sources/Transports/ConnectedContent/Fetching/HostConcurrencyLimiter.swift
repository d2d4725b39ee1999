import Synchronization

/// Limits the number of concurrent calls per host; further calls wait in order of arrival.
final class HostConcurrencyLimiter: Sendable {
    private struct Host {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let hosts = Mutex<[String: Host]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    func enter(_ name: String) async {
        await withCheckedContinuation { continuation in
            let isFree = hosts.withLock { hosts in
                guard hosts[name, default: Host()].running >= limit else {
                    hosts[name, default: Host()].running += 1
                    return true
                }
                hosts[name, default: Host()].waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func leave(_ name: String) {
        let next: CheckedContinuation<Void, Never>? = hosts.withLock { hosts in
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
        next?.resume()
    }
}
