import Foundation
import JSON
import NoroshiWire
import Segments

/// The segments of content files as they would be, in place of what the server has.
package struct PlannedSegments: Sendable {
    /// More than any rule has that can be counted.
    private static let partLimit = 20_000

    private let planned: InMemorySegmentResolver
    private let changed: Set<String>

    /// - Parameter rows: Lines as they are, `nil` for what is new, and as they would be.
    package init(_ rows: [(before: JSONValue?, after: JSONValue)]) {
        var rules: [String: SegmentRule] = [:]
        var changed: Set<String> = []
        for row in rows {
            guard case .object(let members) = row.after, members["kind"] == "segment",
                let id = members["id"]?.stringValue, let filter = members["filter"]
            else { continue }
            // What cannot be read was refused before there was a plan.
            rules[id] = try? Self.rule(filter)
            if row.before != row.after { changed.insert(id) }
        }
        planned = InMemorySegmentResolver(segments: rules)
        self.changed = changed
    }

    /// The rule of a filter as it is written in content files.
    package static func rule(_ filter: JSONValue) throws -> SegmentRule {
        try SegmentJSON.decode(Data(JSONWriter.text(filter).utf8))
    }

    /// Whether a rule names a segment that changes, perhaps within another one.
    package func changes(_ rule: SegmentRule) -> Bool {
        guard !changed.isEmpty else { return false }
        var isFound = false
        rule.forEachCondition(in: planned) { condition in
            if case .segment(let id) = condition, changed.contains(id) { isFound = true }
        }
        return isFound
    }

    /// The rule with the planned definitions in place of the segments that it names.
    ///
    /// - Returns: `nil` if that is more than anybody could count: segments that each name the one before
    ///   several times would fill the memory.
    package func expanded(_ rule: SegmentRule) -> SegmentRule? {
        var room = Self.partLimit
        return expanded(rule, depth: 0, &room)
    }

    private func expanded(_ rule: SegmentRule, depth: Int, _ room: inout Int) -> SegmentRule? {
        room -= 1
        guard room >= 0 else { return nil }
        switch rule {
        case .all(let rules): return expanded(rules, depth: depth, &room).map(SegmentRule.all)
        case .any(let rules): return expanded(rules, depth: depth, &room).map(SegmentRule.any)
        case .not(let inner):
            return expanded(inner, depth: depth, &room).map { .not($0) }
        case .condition(.segment(let id)):
            guard let inner = planned.rule(ofSegment: id) else { return rule }
            guard depth < SegmentValidator.maxDepth else { return nil }
            return expanded(inner, depth: depth + 1, &room)
        case .condition: return rule
        }
    }

    private func expanded(
        _ rules: [SegmentRule],
        depth: Int,
        _ room: inout Int
    ) -> [SegmentRule]? {
        var expanded: [SegmentRule] = []
        for rule in rules {
            guard let rule = self.expanded(rule, depth: depth, &room) else { return nil }
            expanded.append(rule)
        }
        return expanded
    }
}
