import Audience
import ContentFolders
import Foundation
import JSON
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
    /// Segments that contain each other are refused before there is a plan.
    private static let depth = 16

    private let segments: SegmentService
    private let inspector: SegmentInspector
    private let workspace: WorkspaceID
    private let plan: FolderPlan
    /// The filters of the folder's segments by their identifiers.
    private let planned: [String: JSONValue]
    private let changedSegments: Set<String>

    init(_ plan: FolderPlan, _ opened: WorkspaceHandle, _ audience: SegmentationService) {
        self.plan = plan
        workspace = opened.id
        segments = SegmentService(store: opened.store, now: World.live.now)
        inspector = SegmentInspector(segments: segments, audience: audience)
        var planned: [String: JSONValue] = [:]
        var changed: Set<String> = []
        for row in plan.all {
            guard case .object(let members) = row.after, members["kind"] == "segment",
                let id = members["id"]?.stringValue, let filter = members["filter"]
            else { continue }
            planned[id] = filter
            if row.before != row.after { changed.insert(id) }
        }
        self.planned = planned
        changedSegments = changed
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
        let day = World.live.now().addingTimeInterval(-7 * 86_400)
        return try await segments.sizes(of: segment, days: 1, endingAt: day).first?.users
    }

    private func dependsOnChanges(_ line: [String: JSONValue]) throws -> Bool {
        guard !changedSegments.isEmpty, let rule = try rule(line) else { return false }
        return try names(changedSegments, rule, depth: 0)
    }

    /// Whether a rule contains one of these segments, perhaps within another one.
    private func names(_ ids: Set<String>, _ rule: SegmentRule, depth: Int) throws -> Bool {
        switch rule {
        case .all(let rules), .any(let rules):
            return try rules.contains { try names(ids, $0, depth: depth) }
        case .not(let rule): return try names(ids, rule, depth: depth)
        case .condition(.segment(let id)):
            if ids.contains(id) { return true }
            guard depth < Self.depth, let filter = planned[id] else { return false }
            return try names(ids, decoded(filter), depth: depth + 1)
        case .condition: return false
        }
    }

    private func users(_ line: JSONValue, isPlanned: Bool) async throws -> Int? {
        let members = line.objectValue ?? [:]
        do {
            guard let rule = try rule(members) else { return nil }
            let text = SegmentWriter.text(try expanded(rule, isPlanned, depth: 0))
            return try await inspector.find(text, in: workspace).users
        } catch is SegmentProblem {
            // It names what has no name of its own, or is not there yet.
            return nil
        }
    }

    /// `nil` for rows that reach nobody by themselves.
    private func rule(_ line: [String: JSONValue]) throws -> SegmentRule? {
        switch line["kind"] {
        case "segment":
            return try line["filter"].map(decoded)
        case "campaign", "in_app_message":
            let audience = line["audience"]?.objectValue ?? [:]
            var rules = (audience["segments"]?.arrayValue ?? []).compactMap(\.stringValue)
                .map { SegmentRule.condition(.segment($0)) }
            if let filter = audience["filter"] { rules.append(try decoded(filter)) }
            return .all(rules)
        default: return nil
        }
    }

    private func decoded(_ filter: JSONValue) throws -> SegmentRule {
        try SegmentJSON.decode(Data(JSONWriter.text(filter).utf8))
    }

    /// The rule with the planned definitions of segments in place of these, and with names instead of
    /// identifiers.
    private func expanded(_ rule: SegmentRule, _ isPlanned: Bool, depth: Int) throws -> SegmentRule
    {
        switch rule {
        case .all(let rules):
            return .all(try rules.map { try expanded($0, isPlanned, depth: depth) })
        case .any(let rules):
            return .any(try rules.map { try expanded($0, isPlanned, depth: depth) })
        case .not(let rule): return .not(try expanded(rule, isPlanned, depth: depth))
        case .condition(.segment(let id)):
            if isPlanned, depth < Self.depth, let filter = planned[id] {
                return try expanded(decoded(filter), isPlanned, depth: depth + 1)
            }
            return .condition(.segment(plan.name(of: id)))
        case .condition:
            return rule.mappingReferences(
                segment: plan.name(of:),
                list: { $0 },
                campaign: plan.name(of:)
            )
        }
    }
}
