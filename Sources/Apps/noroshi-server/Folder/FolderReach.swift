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
    private let inspector: SegmentInspector
    private let workspace: WorkspaceID
    private let plan: FolderPlan
    /// The filters of segments in the plan by their identifiers.
    private let planned: [String: JSONValue]

    init(_ plan: FolderPlan, _ opened: WorkspaceHandle, _ audience: SegmentationService) {
        self.plan = plan
        workspace = opened.id
        inspector = SegmentInspector(
            segments: SegmentService(store: opened.store, now: World.live.now),
            audience: audience
        )
        planned = Dictionary(
            plan.entries.filter { $0.kind == "segment" }.compactMap { entry in
                guard let id = entry.after.objectValue?["id"]?.stringValue,
                    let filter = entry.after.objectValue?["filter"]
                else { return nil }
                return (id, filter)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Such as `reaches 1,204 users, 980 now`; `nil` for rows that reach nobody by themselves.
    func text(_ entry: FolderPlan.Entry) async throws -> String? {
        guard let after = try await users(entry.after, isPlanned: true) else { return nil }
        var now: Int?
        if let before = entry.before { now = try await users(before, isPlanned: false) }
        let text = "reaches \(Self.grouped(after)) users"
        guard let now, now != after else { return text }
        return text + ", \(Self.grouped(now)) before"
    }

    private static func grouped(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: "en_US_POSIX")).grouping(.automatic))
    }

    private func users(_ line: JSONValue, isPlanned: Bool) async throws -> Int? {
        let members = line.objectValue ?? [:]
        do {
            guard let rule = try rule(members, isPlanned: isPlanned) else { return nil }
            return try await inspector.find(SegmentWriter.text(rule), in: workspace).users
        } catch is SegmentProblem {
            // It names what has no name of its own, or is not there yet.
            return nil
        }
    }

    private func rule(_ line: [String: JSONValue], isPlanned: Bool) throws -> SegmentRule? {
        switch line["kind"] {
        case "segment":
            return try line["filter"].map { try expanded(decoded($0), isPlanned, depth: 0) }
        case "campaign", "in_app_message":
            let audience = line["audience"]?.objectValue ?? [:]
            var rules = (audience["segments"]?.arrayValue ?? []).compactMap(\.stringValue)
                .map { SegmentRule.condition(.segment($0)) }
            if let filter = audience["filter"] { rules.append(try decoded(filter)) }
            return try expanded(.all(rules), isPlanned, depth: 0)
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
            // Segments that contain each other are refused before there is a plan.
            if isPlanned, depth < 16, let filter = planned[id] {
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
