import Foundation
import Model
import NoroshiWire
import Rehearsals

/// A rehearsal as the API answers it.
enum RehearsalAnswer {
    private static let counts = Schema.map.required.described("Numbers by what they are of.")

    private static let entry: [String: Schema] = [
        "kind": Schema.text.required, "name": Schema.text.required,
        "first_at": Schema.time.required, "last_at": Schema.time.required,
        "sent": Schema.count.required, "languages": counts, "platforms": counts,
        "variants": counts, "refused": counts, "skipped": counts, "left_out": counts,
        "control": Schema.count.required,
        "example": Schema.object([
            "user": Schema.text.required, "title": Schema.text.required,
            "body": Schema.text.required,
        ]).orNull.required,
    ]

    static let fields: [String: Schema] = [
        "state": Schema.choice("none", "playing", "done", "stopped", "failed").required
            .described("`none` if none was asked for since the server was started."),
        "share": Schema.number.required.described("How much of the days was played, from 0 to 1."),
        "asked_by": Schema.text.orNull.required, "asked_at": Schema.time.orNull.required,
        "from": Schema.time.orNull.required, "days": Schema.count.orNull.required,
        "seed": Schema.text.orNull.required,
        "failure": Schema.text.orNull.required,
        "result": Schema.object([
            "people": Schema.count.required, "sent": Schema.count.required,
            "opened": Schema.count.required, "repeated_events": Schema.count.required,
            "open_rate": Schema.number.required,
            "webhook_calls": Schema.count.required, "unasked_questions": Schema.count.required,
            "problems": Schema.list(of: .text).required,
            "days": Schema.list(
                of: .object([
                    "day": Schema.text.required,
                    "sources": Schema.list(of: .object(entry)).required,
                ])
            ).required,
            "text": Schema.text.required.described("The text that `rehearse --expect` takes."),
        ]).orNull.required,
    ]

    static func members(_ last: OrderedRehearsal?) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "message": "success", "state": "none", "share": .number(last?.share ?? 0),
            "failure": .null, "result": .null,
            "asked_by": last.map { .string($0.askedBy) } ?? .null,
            "asked_at": last.map { time($0.askedAt) } ?? .null,
            "from": last.map { time($0.order.from) } ?? .null,
            "days": last.map { count($0.order.days) } ?? .null,
            "seed": last.map { .string("\($0.order.seed)") } ?? .null,
        ]
        switch last?.state {
        case nil: break
        case .playing: members["state"] = "playing"
        case .done(let result):
            members["state"] = "done"
            members["share"] = 1
            members["result"] = .object(self.result(result))
        case .failed(.stopped): members["state"] = "stopped"
        case .failed(let failure):
            members["state"] = "failed"
            members["failure"] = .string(text(failure))
        }
        return members
    }

    private static func text(_ failure: RehearsalError) -> String {
        switch failure {
        case .stopped: "it was stopped"
        case .tooLong(let seconds): "it took longer than \(seconds) seconds"
        case .gone: "what was to be rehearsed is not there any more"
        case .broken: "it failed; the server's log says why"
        case .left: "the server that played it has ended; begin it again"
        }
    }

    private static func result(_ result: RehearsalResult) -> [String: JSONValue] {
        [
            "people": count(result.people), "sent": count(result.sent),
            "opened": count(result.opened), "repeated_events": count(result.repeated),
            "open_rate": .number(result.openRate), "webhook_calls": count(result.calls),
            "unasked_questions": count(result.unasked),
            "problems": .array(result.problems.map { .string("\($0)") }),
            "days": .array(result.calendar.map { day($0.day, $0.entries) }),
            "text": .string(RehearsalText(result).text),
        ]
    }

    private static func day(
        _ day: CalendarDay,
        _ entries: [(source: RehearsalSource, found: RehearsalResult.Day)]
    ) -> JSONValue {
        [
            "day": .string("\(day)"),
            "sources": .array(entries.map { .object(entry($0.source, $0.found)) }),
        ]
    }

    private static func entry(
        _ source: RehearsalSource,
        _ day: RehearsalResult.Day
    ) -> [String: JSONValue] {
        var example = JSONValue.null
        if let row = day.example {
            example = [
                "user": .string(row.user), "title": .string(row.title), "body": .string(row.body),
            ]
        }
        return [
            "kind": .string(source.kind.rawValue), "name": .string(source.name),
            "first_at": time(day.first), "last_at": time(day.last), "sent": count(day.sent),
            "languages": counts(day.languages), "platforms": counts(day.platforms),
            "variants": counts(day.variants), "refused": counts(day.refused),
            "skipped": counts(day.skipped), "left_out": counts(day.leftOut),
            "control": count(day.control), "example": example,
        ]
    }

    private static func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    private static func counts(_ counts: [String: Int]) -> JSONValue {
        .object(counts.mapValues(count))
    }

    private static func time(_ date: Date) -> JSONValue { .string(Timestamp.format(date)) }
}
