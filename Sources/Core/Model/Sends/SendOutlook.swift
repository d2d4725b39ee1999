import Foundation

/// The expected result of a message if it started now, shown for confirmation.
package struct SendOutlook: Sendable, Hashable {
    /// Number of users with a device that a push can reach.
    package var users: Int
    package var devices: Int
    /// Number of users of the workspace's control group, who get nothing of it.
    package var withheld = 0
    /// Number of devices by platform, the largest first.
    package var platforms: [Share]
    /// Number of users by language, the largest first; an empty name stands for users without one.
    package var languages: [Share]
    /// Number of users who get it in the first launch: without the control group, and only the test
    /// group of an experiment.
    package var first: Int
    /// The next start times, the earliest first; empty if no schedule defines them.
    package var runs: [Date]
    /// The largest payload by platform, over a sample of the users; empty if it is no push.
    package var payloads: [Payload] = []
    /// Problems to know before sending.
    package var findings: [SendFinding]

    package struct Payload: Sendable, Hashable {
        package var platform: MessagePlatform
        package var bytes: Int
        /// Maximum size that push services accept, in bytes.
        package var limit: Int
        /// For whom it is that large; empty if it is the same for everybody.
        package var user: String

        package init(platform: MessagePlatform, bytes: Int, limit: Int, user: String) {
            self.platform = platform
            self.bytes = bytes
            self.limit = limit
            self.user = user
        }
    }

    package struct Share: Sendable, Hashable {
        package var name: String
        package var count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    package init(
        users: Int,
        devices: Int,
        platforms: [Share] = [],
        languages: [Share] = [],
        first: Int? = nil,
        runs: [Date] = [],
        findings: [SendFinding] = []
    ) {
        self.users = users
        self.devices = devices
        self.platforms = platforms
        self.languages = languages
        self.first = first ?? users
        self.runs = runs
        self.findings = findings
    }

    /// Whether a finding must be fixed before sending.
    package var isBlocked: Bool { findings.contains(where: \.blocks) }
}

/// A possible problem of a message, found before it is sent.
package enum SendFinding: Sendable, Hashable {
    /// No user would get it now.
    case nobody
    /// For one of the sampled users the payload exceeds the limit of push providers.
    case tooLarge(bytes: Int, limit: Int, user: String)
    /// Number of sampled users who lack an attribute that is used without a default.
    case missing(attribute: String, users: Int, of: Int)
    /// No user has such an attribute.
    case unknownAttribute(name: String, nearest: String?)
    /// Liquid has no such filter; its input is unchanged.
    case unknownFunction(name: String, nearest: String?)
    /// A filter asks for an attribute that no user has.
    case unknownFilterAttribute(name: String, nearest: String?)
    /// A filter uses an event that no user has performed.
    case unknownFilterEvent(name: String, nearest: String?)
    /// A filter looks further back than events or sessions are kept: it counts those since then.
    case completeSince(Date)
    /// The message links to a news item that apps cannot show.
    case draftNews(title: String)
    case unknownNews(id: String)
    /// It starts during the quiet hours: it waits until they end, is dropped, or is sent anyway.
    case quietHours(start: TimeOfDay, end: TimeOfDay, handling: QuietHoursHandling)

    /// Whether the finding must be fixed first.
    package var blocks: Bool {
        if case .tooLarge = self { true } else { false }
    }
}
