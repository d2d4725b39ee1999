import Foundation
import Synchronization

/// Addresses from which an export can be fetched once.
final class ExportLinks: Sendable {
    /// How long an address is good for, in seconds.
    static let life: TimeInterval = 3600
    /// The most addresses that wait; the oldest go first.
    private static let limit = 1000

    private let waiting = Mutex<[(token: String, job: ExportJob, end: Date)]>([])

    func add(_ job: ExportJob, token: String, now: Date) {
        waiting.withLock { waiting in
            waiting.removeAll { $0.end <= now }
            waiting.append((token, job, now.addingTimeInterval(Self.life)))
            if waiting.count > Self.limit { waiting.removeFirst() }
        }
    }

    /// The export behind an address, which is gone then.
    func take(_ token: String, now: Date) -> ExportJob? {
        waiting.withLock { waiting in
            guard let index = waiting.firstIndex(where: { $0.token == token && $0.end > now })
            else { return nil }
            return waiting.remove(at: index).job
        }
    }
}
