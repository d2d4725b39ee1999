import Foundation
import Model
import Segments

/// A workspace's segments, lists and campaigns, as rules refer to them.
///
/// Members refer to them by name; stored rules refer by number, so that renaming breaks nothing.
/// Several campaigns may share a name: it means the newest one, and the others are shown by their
/// numbers.
package struct WorkspaceSegmentResolver: SegmentResolver {
    private let rules: [String: SegmentRule]
    private let segmentNames: [String: String]
    private let listNames: [String: String]
    private let segmentKeys: [String: String]
    private let listKeys: [String: String]
    private let campaignNames: [String: String]
    private let campaignKeys: [String: String]
    /// The lists of the user for whom rules are evaluated.
    private let memberships: Set<String>
    private let controlGroup: ControlGroup?

    package init(
        segments: [StoredSegment],
        lists: [UploadedList],
        campaigns: [CampaignReference] = [],
        controlGroup: ControlGroup? = nil,
        memberships: [UserListID] = []
    ) {
        var rules: [String: SegmentRule] = [:]
        var segmentKeys: [String: String] = [:]
        for segment in segments {
            // A segment that cannot be decoded is treated as missing: filters on it match no users,
            // and its page shows the error.
            rules[String(segment.id.rawValue)] = try? SegmentJSON.decode(
                Data(segment.content.definition.utf8)
            )
            segmentKeys[segment.apiID.uuidString.lowercased()] = String(segment.id.rawValue)
        }
        for segment in segments {
            segmentKeys[segment.content.name.lowercased()] = String(segment.id.rawValue)
        }
        self.rules = rules
        self.segmentKeys = segmentKeys
        segmentNames = Dictionary(
            segments.map { (String($0.id.rawValue), $0.content.name) },
            uniquingKeysWith: { first, _ in first }
        )
        listKeys = Dictionary(
            lists.map { ($0.name.lowercased(), String($0.id.rawValue)) },
            uniquingKeysWith: { first, _ in first }
        )
        listNames = Dictionary(
            lists.map { (String($0.id.rawValue), $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
        var campaignKeys: [String: String] = [:]
        var campaignNames: [String: String] = [:]
        for campaign in campaigns.sorted(by: { $0.id.rawValue > $1.id.rawValue }) {
            let number = String(campaign.id.rawValue)
            let key = campaign.name.lowercased()
            campaignKeys[campaign.apiID.uuidString.lowercased()] = number
            // A name that consists of digits could also be a number.
            if Int64(key) == nil, campaignKeys[key] == nil {
                campaignKeys[key] = number
                campaignNames[number] = campaign.name
            }
        }
        for campaign in campaigns {
            let number = String(campaign.id.rawValue)
            campaignKeys[number] = number
        }
        self.campaignKeys = campaignKeys
        self.campaignNames = campaignNames
        self.controlGroup = controlGroup
        self.memberships = Set(memberships.map { String($0.rawValue) })
    }

    package func rule(ofSegment id: String) -> SegmentRule? {
        rules[id] ?? segmentKeys[id.lowercased()].flatMap { rules[$0] }
    }

    package func hasList(_ id: String) -> Bool {
        listNames[id] != nil || listKeys[id.lowercased()] != nil
    }

    package func list(_ id: String, contains profile: Int64) -> Bool {
        memberships.contains(id) || listKeys[id.lowercased()].map(memberships.contains) ?? false
    }

    /// Also pushes without a campaign, which are called `push` and their number.
    package func hasCampaign(_ id: String) -> Bool {
        campaignKeys[id.lowercased()] != nil || Self.isPush(id)
    }

    /// Nobody where the workspace has no such group.
    package func controlGroupContains(_ profile: Int64) -> Bool {
        controlGroup?.contains(ProfileID(profile)) ?? false
    }

    private static func isPush(_ id: String) -> Bool {
        id.hasPrefix("push ") && Int64(id.dropFirst(5)) != nil
    }

    /// The rule with names and identifiers replaced by numbers.
    package func resolved(_ rule: SegmentRule) -> SegmentRule {
        rule.mappingReferences(
            segment: { segmentKeys[$0.lowercased()] ?? $0 },
            list: { listKeys[$0.lowercased()] ?? $0 },
            campaign: { campaignKeys[$0.lowercased()] ?? $0 }
        )
    }

    /// The rule with numbers replaced by names, for display.
    package func named(_ rule: SegmentRule) -> SegmentRule {
        rule.mappingReferences(
            segment: { segmentNames[$0] ?? $0 },
            list: { listNames[$0] ?? $0 },
            campaign: { campaignNames[$0] ?? $0 }
        )
    }

    /// Parses the text form.
    ///
    /// - Throws: The first `SegmentError`, with its location in the text.
    package func rule(
        text: String,
        of segment: SegmentID? = nil
    ) throws(SegmentError) -> SegmentRule {
        let located = try SegmentParser.parse(text)
        let rule = resolved(located.rule)
        guard var problem = problems(in: rule, of: segment).first else { return rule }
        problem.range = located.range(at: problem.pointer)
        throw problem
    }

    /// Parses the JSON form.
    ///
    /// - Throws: The first `SegmentError`, with its pointer.
    package func rule(
        json: String,
        of segment: SegmentID? = nil
    ) throws(SegmentError) -> SegmentRule {
        let rule = resolved(try SegmentJSON.decode(Data(json.utf8)))
        if let problem = problems(in: rule, of: segment).first { throw problem }
        return rule
    }

    package func problems(
        in rule: SegmentRule,
        of segment: SegmentID? = nil
    ) -> [SegmentError] {
        SegmentValidator.problems(
            in: rule,
            id: segment.map { String($0.rawValue) },
            directory: self
        )
    }
}

extension SegmentRule {
    /// The rule with its references mapped by `segment`, `list` and `campaign`.
    package func mappingReferences(
        segment: (String) -> String,
        list: (String) -> String,
        campaign: (String) -> String
    ) -> SegmentRule {
        func mapped(_ rule: SegmentRule) -> SegmentRule {
            rule.mappingReferences(segment: segment, list: list, campaign: campaign)
        }
        switch self {
        case .all(let rules): return .all(rules.map(mapped))
        case .any(let rules): return .any(rules.map(mapped))
        case .not(let inner): return .not(mapped(inner))
        case .condition(.segment(let id)): return .condition(.segment(segment(id)))
        case .condition(.list(let id)): return .condition(.list(list(id)))
        case .condition(.activity(var activity)):
            guard case .message(let action, let campaigns) = activity.subject else { return self }
            activity.subject = .message(action, campaigns: campaigns.map(campaign))
            return .condition(.activity(activity))
        case .condition: return self
        }
    }
}
