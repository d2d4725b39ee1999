import Foundation

/// The personalised pattern: how far the user has come in a course, and what is next.
///
/// The push carries `completed_session_count`, `total_session_count`, `next_session_name` and
/// `next_session_complete_date`; the last two are missing when the course is complete.
public struct NoroshiCourseProgress: Sendable, Equatable {
    /// The session that follows.
    public struct NextSession: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// The day by which it is to be done; `nil` if `dueText` is no date of ISO 8601.
        public var due: Date?
        /// The day as the push writes it.
        public var dueText: String
    }

    /// Sessions done, never more than there are.
    public let completed: Int
    /// Sessions of the course, at least 1.
    public let total: Int
    /// The session that follows; `nil` when the course is complete.
    public let next: NextSession?

    /// The progress that a push tells.
    public init(_ content: NoroshiNotificationContent) throws(NoroshiContentError) {
        total = try content.integer("total_session_count")
        guard total > 0 else {
            throw .wrongType(key: "total_session_count", expected: "a number above 0")
        }
        let counted = try content.integer("completed_session_count")
        guard counted >= 0 else {
            throw .wrongType(key: "completed_session_count", expected: "0 or more")
        }
        completed = min(counted, total)
        if completed == total {
            next = nil
        } else {
            let dueText = try content.text("next_session_complete_date")
            next = NextSession(
                name: try content.text("next_session_name"),
                // The text is shown as it is when it is written for people.
                due: try? content.date("next_session_complete_date"),
                dueText: dueText
            )
        }
    }

    /// The part that is done, 0 to 1.
    public var fraction: Double { Double(completed) / Double(total) }

    /// The part that is done in whole percent, rounded down, so that 100 means complete.
    public var percent: Int { completed * 100 / total }

    /// Whether all sessions are done.
    public var isComplete: Bool { completed == total }
}
