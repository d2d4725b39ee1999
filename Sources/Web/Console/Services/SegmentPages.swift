import Audience
import Foundation
import Model
import Segments

/// Saved audiences, written in the segment language.
package protocol SegmentPages: Sendable {
    func segments(for member: ConsoleMember) async throws -> [SegmentRow]
    func segment(id: Int64, for member: ConsoleMember) async throws -> SegmentDetail?
    /// Counts a condition and picks a few of its users.
    /// - Throws: ``SegmentRejected`` when the condition cannot be read.
    func probe(_ condition: String, for member: ConsoleMember) async throws -> SegmentProbe
    /// Whether a user is in a condition's audience, and what each of its filters found; `nil` when
    /// nobody has such an identifier.
    /// - Throws: ``SegmentRejected`` when the condition cannot be read.
    func explain(
        _ condition: String,
        user: String,
        for member: ConsoleMember
    ) async throws -> SegmentMembership?
    /// Saves a new segment, or the one with `id`, and returns its number.
    /// - Throws: ``SegmentRejected``; `DraftFinished` and `StoreError` with code `changed` as the
    ///   services do.
    func save(
        _ draft: SegmentDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64
    /// - Throws: ``SegmentRejected`` while another segment needs it.
    func deleteSegment(id: Int64, for member: ConsoleMember) async throws
    /// What a condition may name, for the help beside the field.
    func vocabulary(for member: ConsoleMember) async throws -> [SegmentTerm]
}

package struct SegmentRow: Sendable, Hashable {
    package var id: Int64
    package var name: String
    package var condition: String
    /// `nil` while the users are still being read.
    package var users: Int?
    package var changedAt: Date

    package init(id: Int64, name: String, condition: String, users: Int?, changedAt: Date) {
        self.id = id
        self.name = name
        self.condition = condition
        self.users = users
        self.changedAt = changedAt
    }
}

package struct SegmentDetail: Sendable, Hashable {
    package var row: SegmentRow
    package var author: String

    package init(row: SegmentRow, author: String) {
        self.row = row
        self.author = author
    }
}

package struct SegmentDraft: Sendable, Hashable {
    package var name: String
    package var condition: String

    package init(name: String, condition: String) {
        self.name = name
        self.condition = condition
    }
}

/// Whom a condition finds now.
package struct SegmentProbe: Sendable, Hashable {
    /// All users, and the devices that a push can reach.
    package var reach: AudienceReach
    package var reachableUsers: Int
    package var platforms: [SegmentPlatform]
    package var sample: [UserRow]
    /// Names in it that nobody has.
    package var findings: [SendFinding] = []

    package init(
        reach: AudienceReach,
        reachableUsers: Int,
        platforms: [SegmentPlatform],
        sample: [UserRow]
    ) {
        self.reach = reach
        self.reachableUsers = reachableUsers
        self.platforms = platforms
        self.sample = sample
    }
}

/// Devices of one platform that a push can reach.
package struct SegmentPlatform: Sendable, Hashable {
    package var name: String
    package var devices: Int

    package init(name: String, devices: Int) {
        self.name = name
        self.devices = devices
    }
}

/// Whether one user is in a segment, and why.
package struct SegmentMembership: Sendable, Hashable {
    package var user: UserRow
    package var finding: SegmentFinding

    package init(user: UserRow, finding: SegmentFinding) {
        self.user = user
        self.finding = finding
    }
}

/// What one filter found of a user, or what came of a group of them.
package struct SegmentFinding: Sendable, Hashable {
    package enum Group: String, Sendable, Hashable {
        case all, any, not
    }

    /// `nil` for a filter.
    package var group: Group?
    package var text: String
    package var found: SegmentFound?
    package var holds: Bool
    package var children: [SegmentFinding]

    package init(
        text: String,
        found: SegmentFound?,
        holds: Bool,
        group: Group? = nil,
        children: [SegmentFinding] = []
    ) {
        self.group = group
        self.text = text
        self.found = found
        self.holds = holds
        self.children = children
    }
}

/// Why a segment is not saved.
package struct SegmentRejected: Error, Sendable, Hashable {
    package enum Field: String, Sendable, Hashable { case name, condition }

    package var field: Field
    /// Names the place, such as `line 1, column 8: unknown attribute "citi"`.
    package var text: String

    package init(field: Field, text: String) {
        self.field = field
        self.text = text
    }
}

/// An attribute or event that a condition may name, with an example.
package struct SegmentTerm: Sendable, Hashable {
    package var name: String
    package var example: String

    package init(name: String, example: String) {
        self.name = name
        self.example = example
    }
}
