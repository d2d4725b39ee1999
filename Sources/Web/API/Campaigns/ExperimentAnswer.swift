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
        var object: [String: JSONValue] = [
            "measure": .string(result.measure.name),
            "groups": .array(result.experiment.arms.map { arm(of: result.measure, $0) }),
            "comparisons": .array(result.experiment.comparisons.map(comparison)),
        ]
        switch result.experiment.verdict {
        case .nothingToCompare: object["verdict"] = "nothing_to_compare"
        case .noDifference: object["verdict"] = "no_difference"
        case .winner(let group):
            object["verdict"] = "winner"
            object["winner"] = id(group)
        case .unknown(let missing):
            object["verdict"] = "unknown"
            object["missing_users"] = missing.map { .integer(Int64($0)) } ?? .null
        }
        return .object(object)
    }

    private func arm(of measure: CampaignExperiment.Measure, _ arm: ExperimentArm) -> JSONValue {
        var object: [String: JSONValue] = [
            "id": id(arm.group),
            "total": .number(arm.sample.sum),
            "per_user": arm.sample.users == 0 ? .null : .number(arm.sample.mean),
        ]
        if measure.isRate, arm.sample.users > 0 {
            object["interval"] = Self.interval(
                FixedComparison.rate(successes: Int(arm.sample.sum), users: arm.sample.users)
            )
        }
        return .object(object)
    }

    private func comparison(_ comparison: GroupComparison) -> JSONValue {
        [
            "id": id(comparison.group),
            "reference": id(comparison.reference),
            "outcome": .string(comparison.outcome.rawValue),
            "difference": .number(comparison.difference),
            "difference_interval": Self.interval(comparison.differenceInterval),
            "lift": comparison.lift.map(JSONValue.number) ?? .null,
            "lift_interval": Self.interval(comparison.liftInterval),
            "probability": comparison.probability.map(JSONValue.number) ?? .null,
            "fixed": [
                "difference_interval": Self.interval(comparison.fixedLook.difference),
                "lift_interval": Self.interval(comparison.fixedLook.lift),
                "probability": comparison.fixedLook.probability.map(JSONValue.number) ?? .null,
            ],
        ]
    }

    private static func interval(_ interval: Interval?) -> JSONValue {
        guard let interval else { return .null }
        return [
            "low": .number(interval.low),
            "high": interval.high.map(JSONValue.number) ?? .null,
        ]
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
