import Analytics
import Foundation
import Ingestion
import Model
import NoroshiWire

/// Reads which days or hours a request for a series asks for.
struct SeriesReader {
    /// The most rows of one answer.
    static let lengthLimit = 100

    let length: Int
    let unit: SeriesService.Unit
    let end: Date
    /// Why there are no figures for what was asked, where there are none.
    let note: String?

    init(_ reader: RequestReader, days: LocalDays, now: Date) throws(FieldProblem) {
        guard let length = try reader.wholeNumber("length", 1...Self.lengthLimit) else {
            throw reader.problem("length", "is required: a number from 1 to \(Self.lengthLimit)")
        }
        self.length = length
        let text = try reader.string("unit") ?? "day"
        guard let unit = SeriesService.Unit(rawValue: text) else {
            throw reader.problem("unit", "is day or hour")
        }
        self.unit = unit
        if let text = try reader.string("ending_at") {
            guard let end = days.parse(text) else {
                throw reader.problem(
                    "ending_at",
                    "is a time in ISO 8601, such as 2026-07-04T18:30:00Z, or a date"
                )
            }
            self.end = end
        } else {
            end = now
        }
        let narrowed = ["app_id", "segment_id"].first { reader.value($0) != nil }
        note = narrowed.map {
            "figures are kept for the whole workspace; leave out \($0) to get them"
        }
    }

    /// What every series takes.
    static func parameters(hasUnit: Bool = false) -> [RESTEndpoint.Parameter] {
        var parameters: [RESTEndpoint.Parameter] = [
            .init(
                name: "length",
                isRequired: true,
                schema: .integer(1...lengthLimit),
                summary: "How many days or hours."
            ),
            .init(
                name: "ending_at",
                schema: .time,
                summary: "The last day or hour; a date is a day in the workspace's time zone."
            ),
        ]
        if hasUnit { parameters.append(.init(name: "unit", schema: .choice("day", "hour"))) }
        for name in ["app_id", "segment_id"] {
            parameters.append(
                .init(
                    name: name,
                    summary: "Figures are kept for the whole workspace: the answer has no rows."
                )
            )
        }
        return parameters
    }

    /// What the answer looks like, whose rows have `figure`.
    static func answer(_ figure: String, _ schema: Schema = .count) -> Schema {
        .success([
            "data": Schema.list(
                of: .object(["time": .text.required, figure: schema.required]),
                limit: lengthLimit
            ).required,
            "note": .text.described("Why there are no rows."),
        ])
    }
}
