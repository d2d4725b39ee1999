import Foundation

/// The personalized pattern: the user's progress in a course, and the next session.
///
/// The push contains `completed_session_count`, `total_session_count`, `next_session_name` and
/// `next_session_complete_date`; the last two are missing if the course is complete.
public struct NoroshiCourseProgress: Sendable, Equatable {
    /// The next session.
    public struct NextSession: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// The day by which it is due; `nil` if `dueText` is not an ISO 8601 date.
        public var due: Date?
        /// The day as written in the push.
        public var dueText: String
    }

    /// Number of completed sessions, at most `total`.
    public let completed: Int
    /// Number of sessions in the course, at least 1.
    public let total: Int
    /// The next session; `nil` if the course is complete.
    public let next: NextSession?

    /// The progress that a push describes.
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
                // A text that is not a date is shown as written.
                due: try? content.date("next_session_complete_date"),
                dueText: dueText
            )
        }
    }

    /// The completed share, 0 to 1.
    public var fraction: Double { Double(completed) / Double(total) }

    /// The completed share in whole percent, rounded down, so that 100 means complete.
    public var percent: Int { completed * 100 / total }

    /// Whether all sessions are completed.
    public var isComplete: Bool { completed == total }
}
