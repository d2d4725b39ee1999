import Audience
import Foundation
import Model
import Sends

/// Messages that apps show by themselves when something happens in them.
package protocol InAppPages: Sendable {
    func messages(_ query: InAppListQuery, for member: ConsoleMember) async throws -> InAppList
    /// A message as it was written.
    func sketch(id: String, for member: ConsoleMember) async throws -> InAppSketch?
    /// What came of a message.
    /// - Parameter days: how many days up to today its chart shows.
    func report(
        of id: String,
        days: Int,
        for member: ConsoleMember
    ) async throws -> InAppReport
    /// What users did with a message, the latest first.
    func contacts(
        of id: String,
        _ query: InAppContactQuery,
        for member: ConsoleMember
    ) async throws -> [InAppContact]
    /// Saves a new draft, or another content of the message with `id`, and returns its identifier.
    /// - Throws: ``InAppRejected``.
    func save(
        _ draft: InAppDraft,
        id: String?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> String
    /// Lets apps show the message, if it is still as it was at `version`.
    /// - Throws: ``InAppRejected`` when its content no longer allows it.
    /// - Returns: Whether it was, and in a state that allows it.
    func activate(_ id: String, version: Date, for member: ConsoleMember) async throws -> Bool
    /// Who may see it, and what would go wrong.
    /// - Throws: ``InAppRejected`` when its audience cannot be evaluated.
    func outlook(of id: String, for member: ConsoleMember) async throws -> SendOutlook?
    /// - Throws: ``InAppRejected`` when its content no longer allows it.
    /// - Returns: Whether it was in a state that allows it.
    func perform(
        _ step: InAppStep,
        onMessage id: String,
        for member: ConsoleMember
    ) async throws -> Bool
    /// Draws one content of a draft with the real renderer for its preview's user, or for nobody in
    /// particular.
    func preview(
        _ draft: InAppDraft,
        variant: Int,
        for member: ConsoleMember
    ) async throws -> InAppPreview
    /// How many users may see it; `nil` while they are still being read.
    func reach(of audience: AudienceChoice, for member: ConsoleMember) async throws -> Int?
}

/// Where a message stands.
package enum InAppPhase: String, Sendable, Hashable, CaseIterable {
    case draft, active, paused, archived
}

/// What can be done with a message as a whole.
package enum InAppStep: String, Sendable, Hashable, CaseIterable {
    /// Only by the form of its review.
    case activate
    case pause, archive
}

/// Which messages a list shows.
package struct InAppListQuery: Sendable, Hashable {
    package var text = ""
    package var state: InAppPhase?
    package var page = ListPage(size: 25)

    package init() {}
}

package struct InAppList: Sendable, Hashable {
    package var rows: [InAppRow]
    package var total: Int

    package init(rows: [InAppRow], total: Int) {
        self.rows = rows
        self.total = total
    }
}

package struct InAppRow: Sendable, Hashable {
    package var id: String
    package var name: String
    package var kind: InAppKind
    package var phase: InAppPhase
    package var triggers: [InAppTrigger]
    package var startsAt: Date?
    package var endsAt: Date?
    package var figures: InAppFigures
    package var changedAt: Date

    package init(
        id: String,
        name: String,
        kind: InAppKind,
        phase: InAppPhase,
        triggers: [InAppTrigger],
        startsAt: Date?,
        endsAt: Date?,
        figures: InAppFigures = InAppFigures(),
        changedAt: Date
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.phase = phase
        self.triggers = triggers
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.figures = figures
        self.changedAt = changedAt
    }
}

/// What users did with a message.
package struct InAppFigures: Sendable, Hashable {
    package var impressions = 0
    /// Users who saw it.
    package var users = 0
    /// Taps on the message itself.
    package var bodyClicks = 0
    /// Taps by the button's identifier.
    package var buttonClicks: [String: Int] = [:]
    package var dismissals = 0

    package init() {}

    /// All taps.
    package var clicks: Int { buttonClicks.values.reduce(bodyClicks, +) }
}

package struct InAppSketch: Sendable, Hashable {
    /// Its figures are not counted.
    package var row: InAppRow
    package var draft: InAppDraft

    package init(row: InAppRow, draft: InAppDraft) {
        self.row = row
        self.draft = draft
    }
}

package struct InAppReport: Sendable, Hashable {
    package var figures: InAppFigures
    /// Without gaps, oldest first.
    package var days: [InAppDay]
    /// The present contents in their order, then those that people saw before; empty when nothing
    /// is or was compared.
    package var variants: [InAppVariantResult]
    /// Users who would have seen it.
    package var control: Int

    package init(
        figures: InAppFigures,
        days: [InAppDay],
        variants: [InAppVariantResult] = [],
        control: Int = 0
    ) {
        self.figures = figures
        self.days = days
        self.variants = variants
        self.control = control
    }
}

/// What came of one content of a variant.
package struct InAppVariantResult: Sendable, Hashable {
    package var standing: VariantResult.Standing
    /// What people saw.
    package var text: String
    package var figures: InAppFigures

    package init(_ standing: VariantResult.Standing, text: String, figures: InAppFigures) {
        self.standing = standing
        self.text = text
        self.figures = figures
    }
}

package struct InAppDay: Sendable, Hashable {
    /// The day's first moment in the workspace's time zone.
    package var day: Date
    package var impressions: Int
    package var clicks: Int
    package var dismissals: Int

    package init(day: Date, impressions: Int, clicks: Int, dismissals: Int) {
        self.day = day
        self.impressions = impressions
        self.clicks = clicks
        self.dismissals = dismissals
    }
}

/// One thing that a user did with a message.
package struct InAppContact: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case impression, click, button, dismissed
    }

    /// Where the next page of the list begins.
    package var cursor: Int64
    package var userID: Int64
    package var userName: String
    package var kind: Kind
    package var button: String?
    package var at: Date

    package init(
        cursor: Int64,
        userID: Int64,
        userName: String,
        kind: Kind,
        button: String?,
        at: Date
    ) {
        self.cursor = cursor
        self.userID = userID
        self.userName = userName
        self.kind = kind
        self.button = button
        self.at = at
    }
}

package struct InAppContactQuery: Sendable, Hashable {
    package enum Part: String, Sendable, Hashable, CaseIterable {
        case all, impressions, clicks, dismissals
    }

    package var part = Part.all
    /// Taps on this button only.
    package var button: String?
    package var before: Int64?
    package var limit = 25

    package init() {}
}

/// A message as the phone shows it to the preview's user.
package struct InAppPreview: Sendable, Hashable {
    /// What is shown, with its texts rendered as far as they can be.
    package var content: InAppContent
    package var faults: [FormFault]
    /// Why this user does not get it; `nil` when they do.
    package var skipReason: String?

    package init(
        content: InAppContent,
        faults: [FormFault] = [],
        skipReason: String? = nil
    ) {
        self.content = content
        self.faults = faults
        self.skipReason = skipReason
    }
}

/// A message that the services refuse.
package struct InAppRejected: Error, Sendable, Hashable {
    package var faults: [FormFault]

    package init(faults: [FormFault]) {
        self.faults = faults
    }
}
