import Foundation

/// What would come of a message if it began now: what a person looks at before saying so.
package struct SendOutlook: Sendable, Hashable {
    /// Users with a device that a push can reach.
    package var users: Int
    package var devices: Int
    /// Devices by platform, the most first.
    package var platforms: [Share]
    /// Users by language, the most first; an empty name stands for those without one.
    package var languages: [Share]
    /// Those of the users who get it in the first launch: without the control group, and only the
    /// test of an experiment.
    package var first: Int
    /// When it begins next, the earliest first; empty where no clock says it.
    package var runs: [Date]
    /// What somebody should know first.
    package var findings: [SendFinding]

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

    /// Whether something has to be changed before it is sent.
    package var isBlocked: Bool { findings.contains(where: \.blocks) }
}

/// Something about a message that somebody should know before it is sent.
package enum SendFinding: Sendable, Hashable {
    /// Nobody would get it now.
    case nobody
    /// For one of the users that were tried the payload is larger than push services take.
    case tooLarge(bytes: Int, limit: Int, user: String)
    /// So many of the users that were looked at lack an attribute that is used without a default.
    case missing(attribute: String, users: Int, of: Int)
    /// No user has such an attribute.
    case unknownAttribute(name: String, nearest: String?)
    /// Liquid has no such filter; what it is put behind stays as it is.
    case unknownFunction(name: String, nearest: String?)
    /// A filter asks for an attribute that no user has.
    case unknownFilterAttribute(name: String, nearest: String?)
    /// A filter asks for an event that nobody has done.
    case unknownFilterEvent(name: String, nearest: String?)
    /// It leads to a news item that apps cannot show.
    case draftNews(title: String)
    case unknownNews(id: String)
    /// It begins in the quiet hours: until they end it waits, is dropped, or goes all the same.
    case quietHours(start: TimeOfDay, end: TimeOfDay, handling: QuietHoursHandling)

    /// Whether it has to be changed first.
    package var blocks: Bool {
        if case .tooLarge = self { true } else { false }
    }
}
