import Foundation
import Model
import NoroshiWire

/// The people in journeys, as the runner moves them.
package protocol JourneyRunStore: Sendable {
    /// Active and draining journeys that this owner may run until `leaseEnd`: those that no other
    /// one has.
    func claimJourneys(owner: String, leaseEnd: Date, now: Date) async throws -> [RunningJourney]
    /// Makes draining journeys in which nobody is left stopped, and returns them.
    func finishDrainedJourneys(now: Date) async throws -> [JourneyID]

    /// Entries of these users into these journeys: those inside, and those ended whose goal can
    /// still be reached.
    ///
    /// - Parameter start: Ended entries are read if they began at or after it.
    func entries(
        of profiles: [ProfileID],
        in journeys: [JourneyID],
        endedSince start: Date
    ) async throws -> [JourneyEntry]
    /// The last entry of each of these users into a journey, inside or ended.
    func lastEntries(
        of profiles: [ProfileID],
        in journey: JourneyID
    ) async throws -> [ProfileID: JourneyEntry]
    /// Entries whose time has come or whose profile has changed, the earliest first.
    func dueEntries(of journey: JourneyID, now: Date, limit: Int) async throws -> [JourneyEntry]
    /// The time zone names of users: their own, or that of the device used last.
    func timeZones(of profiles: [ProfileID]) async throws -> [ProfileID: String]
    /// Users whom requests and other journeys want to enter by now, the earliest first.
    func entryRequests(
        of journey: JourneyID,
        now: Date,
        limit: Int
    ) async throws -> [JourneyEntryRequest]
    /// Adds users to those who are to enter a journey.
    func requestEntries(
        _ users: [ProfileID: MessageProperties],
        into journey: JourneyID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws
    /// Stores what a request says about its users, and adds those who are known to those who are to
    /// enter the journey, in one transaction and once for each key.
    func perform(
        _ request: JourneyRequest,
        noting audit: @escaping @Sendable (Int) -> AuditRecord?,
        now: Date
    ) async throws -> JourneyRequestOutcome
    /// Gives the users of a request another time to enter, or lets none of them in.
    ///
    /// - Parameter moment: `nil` cancels it.
    func moveSchedule(
        _ id: UUID,
        of journey: JourneyID,
        to moment: Date?,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> JourneyScheduleOutcome
    /// Users who were in the segment of a journey's entry when it was looked at last, in ascending
    /// order.
    func knownMembers(
        of journey: JourneyID,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID]

    /// Makes the moves with everything that they do: passages, sends, changes of profiles, calls.
    ///
    /// A move of an entry that is no longer as it was read is left out; with events nothing is
    /// written then.
    ///
    /// - Returns: `nil` if nothing was written, because the events or the segment were read by
    ///   somebody else or an entry has moved since.
    func commit(_ commit: JourneyCommit, now: Date) async throws -> JourneyCommitResult?
}

/// A journey that people enter and go through now.
package struct RunningJourney: Sendable, Hashable {
    package var id: JourneyID
    package var workspace: WorkspaceID
    package var apiID: UUID
    /// Whether people enter; otherwise it is draining.
    package var isOpen: Bool
    /// The version that people enter.
    package var version: Int
    /// The versions in which people are, and the one that they enter.
    package var versions: [Int]
    /// The last event that was read for it.
    package var eventCursor: Int64
    /// Earlier events let nobody in.
    package var opensAt: Date
    /// When the segment of its entry is looked at next; `nil` if never.
    package var nextLookAt: Date?
    /// Whether the segment was looked at before.
    package var knowsMembers: Bool
    /// The last user whom an entry of all members has listed.
    package var lookCursor: ProfileID?
    /// Whether requests wait for it.
    package var hasRequests: Bool

    package init(
        id: JourneyID,
        workspace: WorkspaceID,
        apiID: UUID,
        isOpen: Bool,
        version: Int,
        versions: [Int],
        eventCursor: Int64,
        opensAt: Date,
        nextLookAt: Date? = nil,
        knowsMembers: Bool = false,
        lookCursor: ProfileID? = nil,
        hasRequests: Bool = false
    ) {
        self.id = id
        self.workspace = workspace
        self.apiID = apiID
        self.isOpen = isOpen
        self.version = version
        self.versions = versions
        self.eventCursor = eventCursor
        self.opensAt = opensAt
        self.nextLookAt = nextLookAt
        self.knowsMembers = knowsMembers
        self.lookCursor = lookCursor
        self.hasRequests = hasRequests
    }
}

/// A user who is to enter a journey.
package struct JourneyEntryRequest: Sendable, Hashable {
    package var id: Int64
    package var profile: ProfileID
    package var properties: MessageProperties
    package var createdAt: Date

    package init(
        id: Int64,
        profile: ProfileID,
        properties: MessageProperties,
        createdAt: Date
    ) {
        self.id = id
        self.profile = profile
        self.properties = properties
        self.createdAt = createdAt
    }
}

/// Moves that are one transaction, and what they follow from.
package struct JourneyCommit: Sendable {
    /// The events that were read for some journeys.
    package struct Events: Sendable, Hashable {
        package var journeys: [JourneyID]
        package var from: Int64
        package var to: Int64

        package init(of journeys: [JourneyID], from: Int64, to: Int64) {
            self.journeys = journeys
            self.from = from
            self.to = to
        }
    }

    /// A look at the segment of a journey's entry.
    package struct Look: Sendable, Hashable {
        package var journey: JourneyID
        /// The look that this one continues.
        package var expectedAt: Date?
        /// Who is in the segment and was not before.
        package var joined: [ProfileID]
        /// Who was in it and is not any more.
        package var gone: [ProfileID]
        package var cursor: ProfileID?
        package var nextAt: Date?
        package var knowsMembers: Bool

        package init(
            journey: JourneyID,
            expectedAt: Date?,
            joined: [ProfileID] = [],
            gone: [ProfileID] = [],
            cursor: ProfileID? = nil,
            nextAt: Date?,
            knowsMembers: Bool
        ) {
            self.journey = journey
            self.expectedAt = expectedAt
            self.joined = joined
            self.gone = gone
            self.cursor = cursor
            self.nextAt = nextAt
            self.knowsMembers = knowsMembers
        }
    }

    /// A push step of a version.
    package struct MessageKey: Sendable, Hashable {
        package var journey: JourneyID
        package var step: JourneyStepID
        package var version: Int

        package init(journey: JourneyID, step: JourneyStepID, version: Int) {
            self.journey = journey
            self.step = step
            self.version = version
        }
    }

    package var moves: [JourneyMove]
    /// The messages of the push steps among the moves' effects.
    package var messages: [MessageKey: CampaignContent]
    package var events: Events?
    package var look: Look?
    /// Requests that were answered, by an entry or because the user may not enter.
    package var requests: [Int64]

    package init(
        moves: [JourneyMove] = [],
        messages: [MessageKey: CampaignContent] = [:],
        events: Events? = nil,
        look: Look? = nil,
        requests: [Int64] = []
    ) {
        self.moves = moves
        self.messages = messages
        self.events = events
        self.look = look
        self.requests = requests
    }
}

/// What a commit has written.
package struct JourneyCommitResult: Sendable, Hashable {
    package var sends: [SendID]
    /// Number of moves that were left out because their entry has moved since.
    package var outdated: Int

    package init(sends: [SendID] = [], outdated: Int = 0) {
        self.sends = sends
        self.outdated = outdated
    }
}
