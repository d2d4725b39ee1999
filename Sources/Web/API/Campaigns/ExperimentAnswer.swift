import Campaigns
import Experiments
import Foundation
import Model
import NoroshiWire

/// The result of an experiment in the terms of the REST API.
struct ExperimentAnswer {
    private let experiment: CampaignExperiment

    init(_ experiment: CampaignExperiment) {
        self.experiment = experiment
    }

    /// - Parameter baseline: The rate from which the required number of users is counted.
    func json(baseline: Double?) -> JSONValue {
        let expected = baseline ?? experiment.primary?.experiment.arms.first?.sample.mean
        return [
            "message": "success",
            "since": experiment.since.map { .string(Timestamp.format($0)) } ?? .null,
            "launches": .integer(Int64(experiment.launches)),
            "smallest_lift": .number(experiment.smallestLift),
            "groups": .array(experiment.groups.map(group)),
            "split": experiment.split.map(split) ?? .null,
            "required_users": expected.flatMap(experiment.requiredUsers).map(size) ?? .null,
            "converts_until": experiment.convertsUntil
                .map { .string(Timestamp.format($0)) } ?? .null,
            "chosen": experiment.choice.map(choice) ?? .null,
            "measures": .array(experiment.results.map(measure)),
        ]
    }

    private func id(_ group: ExperimentGroup) -> JSONValue {
        guard let found = experiment.groups.first(where: { $0.identity == group }),
            let apiID = found.apiID
        else { return "control" }
        return .string(apiID.uuidString.lowercased())
    }

    private func group(_ group: CampaignExperiment.Group) -> JSONValue {
        [
            "id": id(group.identity),
            "name": group.identity == .control ? .null : .string(group.name),
            "share": .number(group.share),
            "users": .integer(Int64(group.users)),
        ]
    }

    private func split(_ split: SplitCheck) -> JSONValue {
        ["probability": .number(split.probability), "is_alarm": .bool(split.isAlarm)]
    }

    private func size(_ users: RequiredSize.Users) -> JSONValue {
        [
            "sequential": .integer(Int64(users.sequential)),
            "fixed": .integer(Int64(users.fixed)),
        ]
    }

    private func choice(_ choice: CampaignExperiment.Choice) -> JSONValue {
        [
            "id": choice.apiID.map { .string($0.uuidString.lowercased()) } ?? .null,
            "name": .string(choice.name),
            "is_proven": choice.isProven.map(JSONValue.bool) ?? .null,
        ]
    }

    private func measure(_ result: CampaignExperiment.Result) -> JSONValue {
        ExperimentMeasureAnswer(
            result.experiment,
            name: result.measure.name,
            isRate: result.measure.isRate,
            id: id
        ).json
    }
}

extension CampaignExperiment.Measure {
    fileprivate var name: String {
        switch self {
        // As the columns of a campaign's series are called.
        case .conversion(let index): index == 0 ? "conversions" : "conversions\(index)"
        case .revenue: "revenue"
        case .opens: "opens"
        case .directOpens: "direct_opens"
        }
    }
}
