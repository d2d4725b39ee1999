import Foundation
import Model
import Segments

/// A workspace's segments and lists, as rules refer to them.
///
/// People refer by name; what is stored refers by number, so that a new name breaks nothing.
package struct SegmentBook: SegmentDirectory {
    private let rules: [String: SegmentRule]
    private let segmentNames: [String: String]
    private let listNames: [String: String]
    private let segmentKeys: [String: String]
    private let listKeys: [String: String]
    /// The lists of the user whom rules are evaluated for one by one.
    private let memberships: Set<String>

    package init(
        segments: [StoredSegment],
        lists: [UploadedList],
        memberships: [UserListID] = []
    ) {
        var rules: [String: SegmentRule] = [:]
        var segmentKeys: [String: String] = [:]
        for segment in segments {
            // One that cannot be read is as good as none: filters on it find nobody, and its own
            // page says why.
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

    /// The rule with numbers in place of names and identifiers.
    package func resolved(_ rule: SegmentRule) -> SegmentRule {
        rule.mappingReferences(
            segment: { segmentKeys[$0.lowercased()] ?? $0 },
            list: { listKeys[$0.lowercased()] ?? $0 }
        )
    }

    /// The rule with names in place of numbers, for people to read.
    package func named(_ rule: SegmentRule) -> SegmentRule {
        rule.mappingReferences(
            segment: { segmentNames[$0] ?? $0 },
            list: { listNames[$0] ?? $0 }
        )
    }

    /// Reads the text form.
    ///
    /// - Throws: The first `SegmentProblem`, with its place in the text.
    package func rule(
        text: String,
        of segment: SegmentID? = nil
    ) throws(SegmentProblem) -> SegmentRule {
        let located = try SegmentParser.parse(text)
        let rule = resolved(located.rule)
        guard var problem = problems(in: rule, of: segment).first else { return rule }
        problem.range = located.range(at: problem.pointer)
        throw problem
    }

    /// Reads the JSON form.
    ///
    /// - Throws: The first `SegmentProblem`, with its pointer.
    package func rule(
        json: String,
        of segment: SegmentID? = nil
    ) throws(SegmentProblem) -> SegmentRule {
        let rule = resolved(try SegmentJSON.decode(Data(json.utf8)))
        if let problem = problems(in: rule, of: segment).first { throw problem }
        return rule
    }

    package func problems(
        in rule: SegmentRule,
        of segment: SegmentID? = nil
    ) -> [SegmentProblem] {
        SegmentValidator.problems(
            in: rule,
            id: segment.map { String($0.rawValue) },
            directory: self
        )
    }
}

extension SegmentRule {
    fileprivate func mappingReferences(
        segment: (String) -> String,
        list: (String) -> String
    ) -> SegmentRule {
        switch self {
        case .all(let rules):
            .all(rules.map { $0.mappingReferences(segment: segment, list: list) })
        case .any(let rules):
            .any(rules.map { $0.mappingReferences(segment: segment, list: list) })
        case .not(let inner):
            .not(inner.mappingReferences(segment: segment, list: list))
        case .condition(.segment(let id)): .condition(.segment(segment(id)))
        case .condition(.list(let id)): .condition(.list(list(id)))
        case .condition: self
        }
    }
}
