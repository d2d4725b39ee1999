import Foundation
import Reasons

/// The JSON form of a segment, for the API and for storage.
///
///     {"and": [{"attribute": "country", "test": "equal", "value": "DE"},
///              {"or": [{"custom": "address.city", "test": "exists"},
///                      {"not": {"segment": "vip"}}, {"list": "summer"}]},
///              {"event": "purchase", "where": [{"property": "price", "test": ">=", "value": 10}],
///               "measure": "count", "is": ">=", "value": 3, "from": {"now": -2592000}},
///              {"purchase": ["sku-1"], …}, {"session": true, …},
///              {"campaign": ["welcome"], "action": "opened", …},
///              {"device": {"and": [{"field": "platform", "test": "equal", "value": "ios"}]}}]}
///
/// A time is `"2026-06-30"`, `"2026-06-30T08:00:00Z"` (in `{"at": …}`), `{"now": seconds}` or
/// `{"today": days}`.
package enum SegmentJSON {
    package static func encode(_ rule: SegmentRule) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(SegmentJSONWriter.node(rule))
    }

    package static func decode(_ data: Data) throws(SegmentError) -> SegmentRule {
        let node: JSONNode
        do {
            node = try JSONDecoder().decode(JSONNode.self, from: data)
        } catch {
            throw SegmentError(.notJSON, ["text": "\(error.localizedDescription)"])
        }
        return try SegmentJSONReader.rule(node, at: "", depth: 0)
    }
}
