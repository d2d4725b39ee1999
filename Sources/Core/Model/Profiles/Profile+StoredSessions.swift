import Foundation

extension Profile {
    /// Counts a session that comes from an export: one between the first and the last that are known
    /// was counted with the user.
    package mutating func noteStoredSession(at time: Date) {
        if let first = firstSessionAt, let last = lastSessionAt, first <= time, time <= last {
            return
        }
        sessionCount += 1
        firstSessionAt = min(firstSessionAt ?? time, time)
        lastSessionAt = max(lastSessionAt ?? time, time)
    }
}
