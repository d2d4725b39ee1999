import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Journeys
import Model
import NoroshiWire
import Reasons

/// `/canvas/data_series` and `/canvas/data_summary`: entries into a journey, conversions, and what
/// came of its pushes. Days are those of the workspace.
struct CanvasSeriesRoutes: Sendable {
    private static let days = 1...100
    private static let day: TimeInterval = 86_400

    let journeys: JourneyService
    let reports: CampaignReports
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        let flag = Schema.choice("true", "false")
        let period = RESTEndpoint.Parameter.oneOf([
            .init(name: "length", schema: .integer(Self.days), summary: "How many days."),
            .init(name: "starting_at", schema: .time),
        ])
        let canvas = RESTEndpoint.Parameter(name: "canvas_id", isRequired: true, schema: .uuid)
        let parameters: [RESTEndpoint.Parameter] =
            [canvas] + period + [
                .init(name: "ending_at", schema: .time),
                .init(name: "include_variant_breakdown", schema: flag),
                .init(name: "include_step_breakdown", schema: flag),
                .init(
                    name: "include_deleted_step_data",
                    schema: flag,
                    summary: "Whether steps are shown that the present version has not."
                ),
            ]
        return [
            .get(
                "/canvas/data_series",
                "canvas.data_series",
                "Counts what came of a journey, day by day",
                parameters,
                answers: .success([
                    "data": Schema.object([
                        "name": Schema.text.required,
                        "stats": Schema.list(
                            of: .object(
                                CanvasSchemas.summary.merging(["time": Schema.text.required]) {
                                    $1
                                }
                            )
                        ).required,
                    ]).required
                ])
            ) { try await series($0) },
            .get(
                "/canvas/data_summary",
                "canvas.data_summary",
                "Counts what came of a journey in some days together",
                parameters,
                answers: .success([
                    "data": Schema.object(
                        CanvasSchemas.summary.merging(["name": Schema.text.required]) { $1 }
                    ).required
                ])
            ) { try await summary($0) },
        ]
    }

    /// What is asked for.
    private struct Question {
        var journey: Journey
        var length: Int
        var end: Date
        var hasVariants: Bool
        var hasSteps: Bool
        var hasGoneSteps: Bool
    }

    private func question(_ call: RESTEndpoint.Call) async throws -> Question {
        let reader = try call.reader()
        let journey = try await JourneyReader(journeys: journeys).canvas(
            reader,
            in: call.workspace
        )
        let end = try reader.time("ending_at") ?? now()
        var length = try reader.wholeNumber("length", Self.days)
        if let start = try reader.time("starting_at") {
            let days = (end.timeIntervalSince(start) / Self.day).rounded(.up)
            guard let count = Int(exactly: days), Self.days.contains(count) else {
                throw reader.problem(
                    "starting_at",
                    .daysBefore,
                    ["first": "1", "last": "\(Self.days.upperBound)"]
                )
            }
            length = length ?? count
        }
        guard let length else {
            throw reader.problem("length", .lengthRequired, ["count": "\(Self.days.upperBound)"])
        }
        return Question(
            journey: journey,
            length: length,
            end: end,
            hasVariants: try CanvasRoutes.flag("include_variant_breakdown", reader),
            hasSteps: try CanvasRoutes.flag("include_step_breakdown", reader),
            hasGoneSteps: try CanvasRoutes.flag("include_deleted_step_data", reader)
        )
    }

    private func series(_ call: RESTEndpoint.Call) async throws -> Response {
        let question = try await question(call)
        let journey = question.journey
        var rows = try await journeys.series(
            of: journey,
            days: question.length,
            endingAt: question.end
        ).map { day, counts in
            var row = Self.row(counts, question)
            row["time"] = .string(day.description)
            return row
        }
        if question.hasSteps {
            var steps = rows.map { _ in [String: JSONValue]() }
            for (step, campaign) in try await messages(question) {
                let records = try await reports.variantRecords(of: campaign)
                let days = try await reports.series(
                    of: campaign,
                    days: question.length,
                    endingAt: question.end
                )
                for (index, day) in days.enumerated() where steps.indices.contains(index) {
                    steps[index][step.description] = Self.step(day, campaign, records)
                }
            }
            for index in rows.indices { rows[index]["step_stats"] = .object(steps[index]) }
        }
        return try JSONResponse.json([
            "message": "success",
            "data": [
                "name": .string(journey.draft.name), "stats": .array(rows.map(JSONValue.object)),
            ],
        ])
    }

    private func summary(_ call: RESTEndpoint.Call) async throws -> Response {
        let question = try await question(call)
        let journey = question.journey
        let days = try await journeys.series(
            of: journey,
            days: question.length,
            endingAt: question.end
        )
        var total = JourneyPeriod(start: question.end)
        for (_, counts) in days {
            total.entries += counts.entries
            total.conversions += counts.conversions
            total.conversionsByEntry += counts.conversionsByEntry
        }
        var data = Self.row(total, question)
        data["name"] = .string(journey.draft.name)
        if question.hasSteps {
            var steps: [String: JSONValue] = [:]
            for (step, campaign) in try await messages(question) {
                let records = try await reports.variantRecords(of: campaign)
                let days = try await reports.series(
                    of: campaign,
                    days: question.length,
                    endingAt: question.end
                )
                guard let whole = try await whole(days, of: campaign) else { continue }
                steps[step.description] = Self.step(whole, campaign, records)
            }
            data["step_stats"] = .object(steps)
        }
        return try JSONResponse.json(["message": "success", "data": .object(data)])
    }

    /// All days together; a user who got messages on several days is one recipient.
    private func whole(_ days: [CampaignDay], of campaign: Campaign) async throws -> CampaignDay? {
        guard var whole = days.first, let last = days.last else { return nil }
        for day in days.dropFirst() {
            whole.variants += day.variants
            whole.revenue += day.revenue
            for index in whole.conversions.indices {
                whole.conversions[index] += day.conversions[index]
                whole.conversionsBySendTime[index] += day.conversionsBySendTime[index]
            }
        }
        whole.uniqueRecipients = try await reports.uniqueRecipients(
            of: campaign,
            from: whole.day,
            through: last.day
        )
        return whole
    }

    /// The push steps that are shown, with the campaigns under which they are counted.
    private func messages(_ question: Question) async throws -> [(JourneyStepID, Campaign)] {
        let messages = try await journeys.messages(of: question.journey)
        var definition = question.journey.draft
        if let number = question.journey.version {
            definition =
                try await journeys.version(number, of: question.journey)?.definition ?? definition
        }
        return messages.filter { question.hasGoneSteps || definition.step($0.key) != nil }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static func row(
        _ counts: JourneyPeriod,
        _ question: Question
    ) -> [String: JSONValue] {
        let total: JSONValue = [
            "entries": JourneyAnswer.number(counts.entries),
            "conversions": JourneyAnswer.number(counts.conversions),
            "conversions_by_entry_time": JourneyAnswer.number(counts.conversionsByEntry),
        ]
        var row: [String: JSONValue] = ["total_stats": total]
        if question.hasVariants {
            var variant = total.objectValue ?? [:]
            variant["name"] = .string(question.journey.draft.name)
            let id = question.journey.apiID.uuidString.lowercased()
            row["variant_stats"] = .object([id: .object(variant)])
        }
        return row
    }

    private static func step(
        _ day: CampaignDay,
        _ campaign: Campaign,
        _ records: [CampaignVariantRecord]
    ) -> JSONValue {
        var row = CampaignResponse(campaign).row(day, records).objectValue ?? [:]
        row["time"] = nil
        row["name"] = .string(campaign.content.name)
        return .object(row)
    }
}
