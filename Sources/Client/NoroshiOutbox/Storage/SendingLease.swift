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

/// The note of who sends now.
struct SendingLease: Codable {
    static let fileName = "sending.json"

    var holder: UUID
    var process: Int32
    var end: Date

    /// Whether the right still holds at `now`. One that ends later than a fresh one would, `fresh`,
    /// was written before the clock was set back.
    func holds(at now: Date, until fresh: Date) -> Bool {
        end > now && end <= fresh && Self.isAlive(process)
    }

    private static func isAlive(_ process: Int32) -> Bool {
        // Of a process that belongs to somebody else nobody learns more than that it is there.
        kill(process, 0) == 0 || errno != ESRCH
    }
}
