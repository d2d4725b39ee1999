import Campaigns
import Experiments
import Foundation
import Hummingbird
import Model
import NoroshiWire
import Reasons

/// `/campaigns/experiment`: what a campaign's variants and its control group say.
struct ExperimentRoutes: Sendable {
    static let lifts = 0.001...10.0
    private static let rates = 0.000_001...0.999

    let campaigns: CampaignService
    let reports: CampaignReports
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/campaigns/experiment",
                "campaigns.experiment",
                "Compares a campaign's variants and its control group, user by user",
                [
                    .init(name: "campaign_id", isRequired: true, schema: .uuid),
                    .init(
                        name: "smallest_lift",
                        schema: .number,
                        summary:
                            "The smallest relative lift worth knowing; without it 0.1, for 10 %."
                    ),
                    .init(
                        name: "baseline_rate",
                        schema: .number,
                        summary: "The rate to expect, from which required_users is counted; "
                            + "without it that of the first group so far."
                    ),
                ],
                answers: ExperimentSchemas.answer
            ) { try await experiment($0) }
        ]
    }

    private func experiment(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let campaign = try await CampaignReader(campaigns: campaigns).campaign(
            reader,
            in: call.workspace
        )
        let lift = try Self.number("smallest_lift", in: Self.lifts, reader)
        let baseline = try Self.number("baseline_rate", in: Self.rates, reader)
        let result = try await reports.experiment(
            of: campaign,
            smallestLift: lift ?? Experiment.usualLift,
            at: now()
        )
        return try JSONResponse.json(ExperimentAnswer(result).json(baseline: baseline))
    }

    static func number(
        _ field: String,
        in range: ClosedRange<Double>,
        _ reader: RequestReader
    ) throws -> Double? {
        guard let text = try reader.string(field) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw reader.problem(
                field,
                Reason(
                    FieldReason.number,
                    ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"]
                )
            )
        }
        return number
    }
}
