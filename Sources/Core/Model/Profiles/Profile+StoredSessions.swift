import Foundation

extension Profile {
    /// Counts a session from an export. A session between the known first and last ones is already
    /// included in the user's count.
    package mutating func noteStoredSession(at time: Date) {
        if let first = firstSessionAt, let last = lastSessionAt, first <= time, time <= last {
            return
        }
        sessionCount += 1
        firstSessionAt = min(firstSessionAt ?? time, time)
        lastSessionAt = max(lastSessionAt ?? time, time)
    }
}
