import Console
import Foundation
import Model
import Segments

/// Segments kept in memory; a condition counts as readable when its quotes and brackets close.
package actor SampleSegments: SegmentPages {
    private var rows: [SegmentRow] = []
    private let users: SampleUsers
    private let count: Int

    package init(size: SampleSize, now: Date) {
        users = SampleUsers(size: size, now: now)
        count = size.users
        guard size != .empty else { return }
        rows = [
            SegmentRow(
                id: 1,
                name: "Kyoto regulars",
                condition: "city = \"Kyoto\" and session count >= 4 in last 30 days",
                users: size.users / 4,
                changedAt: now.addingTimeInterval(-86_400)
            ),
            SegmentRow(
                id: 2,
                name: "常連（京都）",
                condition: "stamps >= 8",
                users: size.users / 11,
                changedAt: now.addingTimeInterval(-4 * 86_400)
            ),
        ]
    }

    package func segments(for member: ConsoleMember) async throws -> [SegmentRow] { rows }

    package func segment(id: Int64, for member: ConsoleMember) async throws -> SegmentDetail? {
        rows.first { $0.id == id }.map { SegmentDetail(row: $0, author: "Hanae Mori") }
    }

    package func probe(
        _ condition: String,
        for member: ConsoleMember
    ) async throws -> SegmentProbe {
        guard condition.filter({ $0 == "\"" }).count.isMultiple(of: 2) else {
            throw SegmentRejected(
                field: .condition,
                text: "line 1, column \(condition.count): the text is not closed with \""
            )
        }
        let found = count / max(2, condition.count / 4)
        let sample = try await users.users(UserQuery(), for: member).rows.prefix(5)
        return SegmentProbe(
            reach: AudienceReach(users: found, devices: found * 7 / 10),
            reachableUsers: found * 6 / 10,
            platforms: [
                SegmentPlatform(name: "android", devices: found * 3 / 10),
                SegmentPlatform(name: "ios", devices: found * 4 / 10),
            ],
            sample: Array(sample)
        )
    }

    package func explain(
        _ condition: String,
        user: String,
        for member: ConsoleMember
    ) async throws -> SegmentMembership? {
        var query = UserQuery()
        query.text = user
        guard let row = try await users.users(query, for: member).rows.first else { return nil }
        return SegmentMembership(
            user: row,
            finding: SegmentFinding(
                text: condition,
                found: nil,
                holds: false,
                group: .all,
                children: [
                    SegmentFinding(
                        text: condition,
                        found: .value("city", "\"Osaka\""),
                        holds: false
                    ),
                    SegmentFinding(text: "stamps >= 8", found: .value("stamps", "9"), holds: true),
                ]
            )
        )
    }

    package func save(
        _ draft: SegmentDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64 {
        let probe = try await probe(draft.condition, for: member)
        let number = id ?? (rows.map(\.id).max() ?? 0) + 1
        rows.removeAll { $0.id == number }
        rows.append(
            SegmentRow(
                id: number,
                name: draft.name,
                condition: draft.condition,
                users: probe.reach.users,
                changedAt: Date()
            )
        )
        return number
    }

    package func deleteSegment(id: Int64, for member: ConsoleMember) async throws {
        rows.removeAll { $0.id == id }
    }

    package func vocabulary(for member: ConsoleMember) async throws -> [SegmentTerm] {
        [
            SegmentTerm(name: "city", example: "city = \"Kyoto\""),
            SegmentTerm(name: "language", example: "language in (\"ja\", \"en\")"),
            SegmentTerm(name: "stamps", example: "stamps >= 8"),
            SegmentTerm(
                name: "viewed_menu",
                example: "event \"viewed_menu\" count > 2 in last 7 days"
            ),
        ]
    }
}
