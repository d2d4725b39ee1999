import Audience
import ContentFiles
import ContentFolders
import Foundation
import Model
import NoroshiWire
import Segments
import Server

/// How many users rows of a plan reach, now and with the plan.
struct FolderReach {
    struct Count {
        let path: String
        /// With the plan.
        let users: Int
        /// As things are; `nil` for what is new.
        let before: Int?
        /// What the segment had a week ago; `nil` where that is not known.
        let weekAgo: Int?

        /// By how many percent more or fewer it would be, against as things are; what nobody was in grows
        /// without an end.
        var change: Double {
            guard let before, before != users else { return 0 }
            return before == 0 ? .infinity : abs(Double(users - before)) / Double(before) * 100
        }

        /// Such as `reaches 1,204 users, 980 before, 951 a week ago`.
        var text: String {
            var text = "reaches \(FolderReach.grouped(users)) users"
            if let before, before != users { text += ", \(FolderReach.grouped(before)) before" }
            if let weekAgo, weekAgo != before {
                text += ", \(FolderReach.grouped(weekAgo)) a week ago"
            }
            return text
        }
    }

    /// Such as `1,204`.
    static func grouped(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: "en_US")).grouping(.automatic))
    }

    private static let kinds: Set = ["segment", "campaign", "in_app_message"]

    private let segments: SegmentService
    private let inspector: SegmentInspector
    private let workspace: WorkspaceID
    private let plan: FolderPlan
    private let planned: PlannedSegments

    init(_ plan: FolderPlan, _ opened: WorkspaceHandle, _ audience: SegmentationService) {
        self.plan = plan
        workspace = opened.id
        segments = SegmentService(store: opened.store, now: ServerDependencies.live.now)
        inspector = SegmentInspector(segments: segments, audience: audience)
        planned = PlannedSegments(plan.all.map { ($0.before, $0.after) })
    }

    /// Whom the changed rows reach, and the others whose segments change, by path.
    func counts() async throws -> [Count] {
        var counts: [Count] = []
        for row in plan.all {
            guard case .object(let members) = row.after,
                Self.kinds.contains(members["kind"]?.stringValue ?? "")
            else { continue }
            let isChanged = row.before != row.after
            guard try isChanged || dependsOnChanges(members),
                let users = try await users(row.after, isPlanned: true)
            else { continue }
            var before: Int?
            if let former = row.before { before = try await self.users(former, isPlanned: false) }
            guard isChanged || before != users else { continue }
            counts.append(
                Count(
                    path: row.path,
                    users: users,
                    before: before,
                    weekAgo: row.before == nil ? nil : try await weekAgo(members)
                )
            )
        }
        return counts
    }

    private func weekAgo(_ members: [String: JSONValue]) async throws -> Int? {
        guard members["kind"] == "segment",
            let id = members["id"]?.stringValue.flatMap(UUID.init(uuidString:)),
            let segment = try await segments.segment(apiID: id, in: workspace)
        else { return nil }
        let day = ServerDependencies.live.now().addingTimeInterval(-7 * 86_400)
        return try await segments.sizes(of: segment, days: 1, endingAt: day).first?.users
    }

    private func dependsOnChanges(_ line: [String: JSONValue]) throws -> Bool {
        try rule(line).map(planned.changes) ?? false
    }

    private func users(_ line: JSONValue, isPlanned: Bool) async throws -> Int? {
        let members = line.objectValue ?? [:]
        do {
            guard let rule = try rule(members),
                let whole = isPlanned ? planned.expanded(rule) : rule
            else { return nil }
            let named = whole.mappingReferences(
                segment: plan.name(of:),
                list: { $0 },
                campaign: plan.name(of:)
            )
            let text = SegmentWriter.text(named)
            return try await inspector.find(text, in: workspace).users
        } catch is SegmentError {
            // It names what has no name of its own, or is not there yet.
            return nil
        }
    }

    /// `nil` for rows that reach nobody by themselves.
    private func rule(_ line: [String: JSONValue]) throws -> SegmentRule? {
        switch line["kind"] {
        case "segment":
            return try line["filter"].map(PlannedSegments.rule)
        case "campaign", "in_app_message":
            let audience = line["audience"]?.objectValue ?? [:]
            var rules = (audience["segments"]?.arrayValue ?? []).compactMap(\.stringValue)
                .map { SegmentRule.condition(.segment($0)) }
            if let filter = audience["filter"] { rules.append(try PlannedSegments.rule(filter)) }
            return .all(rules)
        default: return nil
        }
    }
}
