import Foundation
import Model

/// Messages that are sent by rule: once, again and again, or when something happens.
package protocol CampaignPages: Sendable {
    func campaigns(
        _ query: CampaignListQuery,
        for member: ConsoleMember
    ) async throws -> CampaignList
    func campaign(id: Int64, for member: ConsoleMember) async throws -> CampaignDetail?
    /// A campaign without what came of it, which takes longer to count.
    func campaignSketch(id: Int64, for member: ConsoleMember) async throws -> CampaignSketch?
    /// What would come of it if it began now.
    /// - Throws: ``CampaignRejected``.
    func outlook(of draft: CampaignDraft, for member: ConsoleMember) async throws -> SendOutlook
    /// Saves a new draft, or another content of the campaign with `id`, and returns its number.
    /// - Throws: ``CampaignRejected``; `DraftFinished` and `StoreError` with code `changed` as the
    ///   services do.
    func saveCampaign(
        _ draft: CampaignDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64
    /// Lets a campaign begin that was last changed at `version`.
    /// - Throws: ``CampaignRejected`` when its content no longer allows it.
    /// - Returns: Whether it was in a state and version that allow it.
    func activate(
        _ id: Int64,
        version: Date,
        for member: ConsoleMember
    ) async throws -> Bool
    /// - Throws: ``CampaignRejected`` when its content no longer allows it, such as a start that
    ///   has passed.
    /// - Returns: Whether it was in a state that allows it.
    func perform(
        _ step: CampaignStep,
        onCampaign id: Int64,
        for member: ConsoleMember
    ) async throws -> Bool
}

/// A campaign as it was written.
package struct CampaignSketch: Sendable, Hashable {
    package var row: CampaignRow
    package var draft: CampaignDraft

    package init(row: CampaignRow, draft: CampaignDraft) {
        self.row = row
        self.draft = draft
    }
}

/// What can be done with a campaign as a whole.
package enum CampaignStep: String, Sendable, Hashable, CaseIterable {
    case activate, pause, resume, stop, archive
}

package enum CampaignPhase: String, Sendable, Hashable, CaseIterable {
    case draft, active, paused, stopped, archived
}

package struct CampaignListQuery: Sendable, Hashable {
    package var text = ""
    package var state: CampaignPhase?
    package var page = ListPage(size: 25)

    package init() {}
}

package struct CampaignList: Sendable, Hashable {
    package var rows: [CampaignRow]
    package var total: Int

    package init(rows: [CampaignRow], total: Int) {
        self.rows = rows
        self.total = total
    }
}

package struct CampaignRow: Sendable, Hashable {
    package var id: Int64
    package var name: String
    package var phase: CampaignPhase
    package var timing: CampaignTiming.Kind
    package var nextAt: Date?
    package var lastAt: Date?
    package var changedAt: Date
    package var activatedAt: Date?

    package init(
        id: Int64,
        name: String,
        phase: CampaignPhase,
        timing: CampaignTiming.Kind,
        nextAt: Date?,
        lastAt: Date?,
        changedAt: Date,
        activatedAt: Date? = nil
    ) {
        self.activatedAt = activatedAt
        self.id = id
        self.name = name
        self.phase = phase
        self.timing = timing
        self.nextAt = nextAt
        self.lastAt = lastAt
        self.changedAt = changedAt
    }
}

package struct CampaignDetail: Sendable, Hashable {
    package var row: CampaignRow
    package var draft: CampaignDraft
    /// The identifier of the REST API.
    package var apiID: String
    package var recipients: Int
    package var variants: [VariantResult]
    /// How many users are in the control group.
    package var control: Int
    /// Conversions of each event, in the order of the draft.
    package var conversions: [ConversionResult]
    /// The newest launches.
    package var pushes: [PushSummary]

    package init(
        row: CampaignRow,
        draft: CampaignDraft,
        apiID: String,
        recipients: Int = 0,
        variants: [VariantResult] = [],
        control: Int = 0,
        conversions: [ConversionResult] = [],
        pushes: [PushSummary] = []
    ) {
        self.row = row
        self.draft = draft
        self.apiID = apiID
        self.recipients = recipients
        self.variants = variants
        self.control = control
        self.conversions = conversions
        self.pushes = pushes
    }
}

/// What came of one text of a variant, on all platforms.
package struct VariantResult: Sendable, Hashable {
    package enum Standing: String, Sendable, Hashable, CaseIterable {
        case current
        /// Its variant says something else now.
        case earlier
        /// Its variant was taken away.
        case removed
    }

    package var name: String
    /// What was sent.
    package var text: String
    package var standing: Standing
    package var sent: Int
    package var directOpens: Int
    package var influencedOpens: Int
    package var failed: Int

    package init(
        name: String,
        text: String,
        standing: Standing = .current,
        sent: Int,
        directOpens: Int,
        influencedOpens: Int,
        failed: Int
    ) {
        self.name = name
        self.text = text
        self.standing = standing
        self.sent = sent
        self.directOpens = directOpens
        self.influencedOpens = influencedOpens
        self.failed = failed
    }
}

package struct ConversionResult: Sendable, Hashable {
    package var users: Int
    package var inControl: Int

    package init(users: Int, inControl: Int) {
        self.users = users
        self.inControl = inControl
    }
}

/// What a person writes of a campaign.
package struct CampaignDraft: Sendable, Hashable {
    package var name = ""
    package var note = ""
    package var tags: [String] = []
    /// What is the same for every variant: pairs, buttons, badge, sound and the audience.
    package var common = PushDraft()
    /// At least one.
    package var variants: [VariantDraft] = [VariantDraft()]
    /// In per cent.
    package var controlShare = 0
    package var timing = CampaignTiming()
    /// After how many days a user can have it again; `nil` for never.
    package var againAfterDays: Int?
    package var ignoresCaps = false
    package var quietHours = QuietChoice.hold
    package var conversions: [ConversionDraft] = []
    package var messagesPerMinute: Int?
    package var winner: WinnerDraft?

    package init() {}
}

package struct VariantDraft: Sendable, Hashable {
    /// The identifier that it is stored under; empty for a new one.
    package var id = ""
    package var name = ""
    package var weight = 1
    package var text = VariantText()
    /// Platforms with a text of their own.
    package var own: [AppPlatform: VariantText] = [:]

    package init() {}
}

package struct VariantText: Sendable, Hashable {
    package var title = ""
    package var subtitle = ""
    package var message = ""
    package var url = ""
    package var imageURL = ""

    package init() {}

    package var isEmpty: Bool { self == VariantText() }
}

/// What happens to a message in the workspace's quiet hours.
package enum QuietChoice: String, Sendable, Hashable, CaseIterable {
    case hold, drop, ignore
}

package struct ConversionDraft: Sendable, Hashable {
    /// An event's name; empty for any purchase.
    package var event: String
    package var days: Int

    package init(event: String, days: Int) {
        self.event = event
        self.days = days
    }
}

/// A part of the audience tries the variants; the rest gets the best.
package struct WinnerDraft: Sendable, Hashable {
    /// In per cent.
    package var testShare: Int
    package var hours: Int
    package var isByConversions: Bool

    package init(testShare: Int, hours: Int, isByConversions: Bool) {
        self.testShare = testShare
        self.hours = hours
        self.isByConversions = isByConversions
    }
}

/// When a campaign sends.
package struct CampaignTiming: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case now, scheduled, action, api
    }

    package enum Repeat: String, Sendable, Hashable, CaseIterable {
        case never, daily, weekly, monthly
    }

    package var kind = Kind.now
    /// Such as `2026-04-01`.
    package var day = ""
    /// Such as `09:30`.
    package var time = ""
    /// Each user's own clock instead of the workspace's.
    package var isLocal = false
    /// The IANA name of the clock's zone; empty for the workspace's.
    package var zone = ""
    package var repeats = Repeat.never
    /// Every so many days, weeks or months.
    package var every = 1
    /// Monday is 1.
    package var weekdays: Set<Int> = []
    /// Of a month; -1 is the last.
    package var monthDays: Set<Int> = []
    /// The last day; empty for no end.
    package var until = ""
    /// Of an action: the event's name; empty with ``isPurchase``.
    package var event = ""
    package var isPurchase = false
    package var delayMinutes = 0
    /// An event that calls it off while the delay runs.
    package var exception = ""

    package init() {}
}

/// A campaign that the services refuse.
package struct CampaignRejected: Error, Sendable, Hashable {
    package var faults: [FormFault]

    package init(faults: [FormFault]) {
        self.faults = faults
    }
}
