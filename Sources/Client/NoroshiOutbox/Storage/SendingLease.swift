import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The lease of the process that is sending.
struct SendingLease: Codable {
    static let fileName = "sending.json"

    var holder: UUID
    var process: Int32
    var end: Date

    /// Whether the lease holds at `now`. If it ends later than a new lease, which would end at
    /// `fresh`, it was written before the clock was set back.
    func holds(at now: Date, until fresh: Date) -> Bool {
        end > now && end <= fresh && Self.isAlive(process)
    }

    private static func isAlive(_ process: Int32) -> Bool {
        // For a process of another user the system reveals only that it exists.
        kill(process, 0) == 0 || errno != ESRCH
    }
}
