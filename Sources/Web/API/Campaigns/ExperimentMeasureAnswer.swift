import Experiments
import Foundation
import NoroshiWire

/// What groups say in one measure, in the terms of the REST API.
struct ExperimentMeasureAnswer {
    private let experiment: Experiment
    private let name: String
    private let isRate: Bool
    private let id: (ExperimentGroup) -> JSONValue

    /// - Parameter id: What a group is called.
    init(
        _ experiment: Experiment,
        name: String,
        isRate: Bool,
        id: @escaping (ExperimentGroup) -> JSONValue
    ) {
        self.experiment = experiment
        self.name = name
        self.isRate = isRate
        self.id = id
    }

    var json: JSONValue {
        var object: [String: JSONValue] = [
            "measure": .string(name),
            "groups": .array(experiment.arms.map(arm)),
            "comparisons": .array(experiment.comparisons.map(comparison)),
        ]
        switch experiment.verdict {
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

    private func arm(_ arm: ExperimentArm) -> JSONValue {
        var object: [String: JSONValue] = [
            "id": id(arm.group),
            "users": .integer(Int64(arm.sample.users)),
            "total": .number(arm.sample.sum),
            "per_user": arm.sample.users == 0 ? .null : .number(arm.sample.mean),
        ]
        if isRate, arm.sample.users > 0 {
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
