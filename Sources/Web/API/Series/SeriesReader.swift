import Analytics
import Audience
import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Reads the days or hours that a request for a series asks for.
struct SeriesReader {
    /// Maximum number of rows per response.
    static let lengthLimit = 100

    let length: Int
    let unit: SeriesService.Unit
    let end: Date

    init(_ reader: RequestReader, days: LocalDays, now: Date) throws(FieldProblem) {
        guard let length = try reader.wholeNumber("length", 1...Self.lengthLimit) else {
            throw reader.problem("length", .lengthRequired, ["count": "\(Self.lengthLimit)"])
        }
        self.length = length
        let text = try reader.string("unit") ?? "day"
        guard let unit = SeriesService.Unit(rawValue: text) else {
            throw reader.problem("unit", .dayOrHour)
        }
        self.unit = unit
        if let text = try reader.string("ending_at") {
            guard let end = days.parse(RequestReader.withPlusSign(text)) else {
                throw reader.problem("ending_at", .isTimeOrDate)
            }
            self.end = end
        } else {
            end = now
        }
    }

    /// Maximum number of apps or segments in a filter of a series.
    private static let narrowingLimit = 20

    /// The filter of a series in a request: apps and segments.
    static func narrowing(
        _ reader: RequestReader,
        in workspace: WorkspaceID,
        _ series: SeriesService,
        _ segments: SegmentService
    ) async throws -> SeriesService.Narrowing {
        var narrowing = SeriesService.Narrowing()
        for name in try reader.oneOrMore("app_id", limit: narrowingLimit) {
            guard let app = try await series.app(named: name, in: workspace) else {
                throw reader.problem(
                    "app_id",
                    .noAppNamed,
                    ["name": "\(name.prefix(64))"]
                )
            }
            narrowing.apps.insert(app)
        }
        var query = SegmentQuery()
        for id in try reader.oneOrMore("segment_id", limit: narrowingLimit) {
            query.segments.append(
                try await SegmentReference(segments: segments).segment(id, workspace).id
            )
        }
        if !query.segments.isEmpty { narrowing.query = query }
        return narrowing
    }

    /// The parameters of every series.
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
        let oneOrMore = Schema.either(.text, .list(of: .text, limit: narrowingLimit))
        parameters.append(
            .init(
                name: "app_id",
                schema: oneOrMore,
                summary: "Only what happened in this app, or in any of these: SDK keys or bundle "
                    + "identifiers."
            )
        )
        parameters.append(
            .init(
                name: "segment_id",
                schema: oneOrMore,
                summary: "Only users who are in this segment now, or in all of these."
            )
        )
        return parameters
    }

    /// The schema of a response with rows of `figure`.
    static func answer(
        _ figure: String,
        _ schema: Schema = .count,
        _ details: [String: Schema] = [:]
    ) -> Schema {
        var members = details
        members["data"] =
            Schema.list(
                of: .object(["time": .text.required, figure: schema.required]),
                limit: lengthLimit
            ).required
        return .success(members)
    }
}
