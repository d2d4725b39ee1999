import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension RandomContent {
    mutating func writeReports(_ segments: [StoredSegment]) async throws {
        for _ in 0..<number(1...4) {
            let (kind, question) = question(segments)
            let schedule = SavedReport.Schedule(
                address: "https://hooks.example/secret",
                weekday: 1,
                time: try #require(TimeOfDay("08:00"))
            )
            let isSent = chance(2)
            try await store.saveReport(
                SavedReport(
                    id: UUID(),
                    workspace: workspace,
                    content: SavedReport.Content(
                        name: name(),
                        kind: kind,
                        question: question,
                        isOnOverview: chance(2),
                        schedule: isSent ? schedule : nil
                    ),
                    author: "Ada \(name())",
                    createdAt: now,
                    updatedAt: now,
                    delivery: isSent ? SavedReport.Delivery(occurrence: now) : nil
                ),
                noting: nil
            )
        }
    }

    private mutating func question(
        _ segments: [StoredSegment]
    ) -> (kind: String, question: [String: JSONValue]) {
        var question: [String: JSONValue] = ["length": .integer(Int64(number(2...14)))]
        if chance(3) { question["unit"] = "week" }
        if chance(3) { question["time_zone"] = "Asia/Kathmandu" }
        if chance(2) {
            question["segment_id"] = .string(one(of: segments).apiID.uuidString.lowercased())
        }
        if chance(4) {
            question["audience"] = [
                "AND": [
                    [
                        "custom_attribute": [
                            "custom_attribute_name": "plan", "comparison": "equals",
                            "value": "gold",
                        ]
                    ]
                ]
            ]
        }
        switch number(0...4) {
        case 0:
            question["series"] = one(of: [
                activity(), ["new_users": true], ["revenue": [], "currency": "JPY"],
            ])
            question["breakdown"] = breakdown(segments)
            return ("series", question)
        case 1:
            question["window_seconds"] = 3_600
            question["steps"] = .array((0..<number(2...5)).map { _ in activity() })
            if chance(2) {
                question["exclusions"] = [["event": "left", "after_step": 1, "before_step": 2]]
            }
            question["breakdown"] = breakdown(segments)
            return ("funnel", question)
        case 2:
            question["intervals"] = 4
            question["first"] = activity()
            question["returning"] = activity()
            return ("retention", question)
        case 3:
            question["steps"] = 3
            question["window_seconds"] = 3_600
            question["start"] = activity()
            return ("paths", question)
        default:
            question["activity"] = activity()
            return ("control_group", question)
        }
    }

    private mutating func activity() -> JSONValue {
        var activity: [String: JSONValue] =
            switch number(0...2) {
            case 0: ["session": true]
            case 1: ["purchase": []]
            default: ["event": .string(name())]
            }
        if activity["session"] == nil, chance(3) {
            activity["where"] = [["property": "tea", "test": "exists"]]
        }
        return .object(activity)
    }

    private mutating func breakdown(_ segments: [StoredSegment]) -> JSONValue? {
        switch number(0...3) {
        case 0: return nil
        case 1: return ["by": "country"]
        case 2: return ["by": "custom_attribute", "name": "plan", "limit": 3]
        default:
            let named = (0..<number(1...2)).map { _ in
                JSONValue.string(one(of: segments).apiID.uuidString.lowercased())
            }
            return ["by": "segments", "segments": .array(named)]
        }
    }
}
