import Foundation
import Ingestion
import Model
import NoroshiWire

/// The form of a goal in a file and in requests: the event, and how long after it counts, in seconds.
package enum GoalForm {
    /// Three days.
    private static let usualWindow: TimeInterval = 3 * 86_400

    package static func value(of goal: ConversionEvent) throws -> JSONValue {
        [
            "event": try ReadableForm.value(of: goal.event),
            "window": Int64(exactly: goal.window).map(JSONValue.integer) ?? .number(goal.window),
        ]
    }

    /// The goal of an object, if it has one.
    ///
    /// - Throws: `FieldProblem`.
    package static func goal(in members: [String: JSONValue]) throws -> ConversionEvent? {
        guard let form = members["goal"], form != .null else { return nil }
        guard let goal = form.objectValue else { throw FieldProblem("goal", .isObject) }
        try JourneyFormReader.requireKnown(goal, ["event", "window"], "goal")
        return ConversionEvent(
            event: try JourneyFormReader.event(goal["event"], "goal.event"),
            window: try JourneyFormReader.seconds(
                "window",
                RequestReader(.object(goal), path: "goal")
            ) ?? usualWindow
        )
    }
}
