import Foundation
import Model
import NoroshiWire
import Scheduling
import WebPages

/// The raw fields of a test run.
struct JourneyTrialForm {
    struct Pair: Hashable {
        let name: String
        let value: String
    }

    struct Event: Hashable {
        let name: String
        let span: JourneySpanForm
    }

    /// How far the clock goes, in seconds.
    static let longest: TimeInterval = 366 * 86_400
    private static let mostRows = 20

    let user: String
    let start: String
    let pairs: [Pair]
    let eventRows: [Event]
    /// How far the clock was moved from the start, in seconds.
    let clock: TimeInterval

    init(_ context: ConsoleContext) {
        let fields = context.query
        user = fields.trimmed("user")
        start =
            fields["start"].isEmpty
            ? DateTimeLocalFormat.text(context.now, in: context.zone) : fields["start"]
        pairs = zip(fields.all("pairName"), fields.all("pairValue")).prefix(Self.mostRows).map {
            Pair(name: $0.trimmingCharacters(in: .whitespaces), value: $1)
        }
        .filter { !$0.name.isEmpty || !$0.value.isEmpty }
        let after = fields.all("after")
        let units = fields.all("afterUnit")
        eventRows = fields.all("eventName").prefix(Self.mostRows).enumerated().compactMap {
            index,
            name in
            let name = name.trimmingCharacters(in: .whitespaces)
            guard !name.isEmpty, index < after.count, index < units.count else { return nil }
            let span = FormFields([("after", after[index]), ("afterUnit", units[index])])
            return Event(name: name, span: JourneySpanForm(fields: span, name: "after"))
        }
        let moved = Double(fields["clock"]) ?? 7 * 86_400
        clock = moved.isFinite ? min(max(0, moved), Self.longest) : 0
    }

    var properties: [String: JSONValue] {
        Dictionary(
            pairs.filter { !$0.name.isEmpty }.map { ($0.name, ParsedLiteral(text: $0.value).json) },
            uniquingKeysWith: { $1 }
        )
    }

    func events(from start: Date, _ check: inout FormValidator) -> [JourneyEvent] {
        eventRows.map { row in
            JourneyEvent(
                name: EventMatch(shownName: row.name).eventName,
                properties: [:],
                time: start.addingTimeInterval(
                    row.span.amount == "0"
                        ? 0 : row.span.seconds(changing: nil, &check)
                )
            )
        }
    }
}
