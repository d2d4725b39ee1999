import ArgumentParser
import Experiments
import Foundation

/// Judges experiments that another program has drawn: a line of JSON in, a line of JSON out.
struct ExperimentsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "experiments",
        abstract: "Judges experiments from the standard input, for other programs to check.",
        shouldDisplay: false
    )

    /// An experiment with everything that was known each time somebody looked.
    private struct Question: Decodable {
        var shares: [Double]
        var is_rate: Bool
        /// For each look and group: users, sum and sum of squares.
        var looks: [[[Double]]]
    }

    private struct Size: Decodable {
        var shares: [Double]
        var baseline: Double
        var smallest_lift: Double
    }

    private struct Answer: Encodable {
        struct Comparison: Encodable {
            var outcome: String
            /// Both ends, the upper one missing if there is none.
            var difference: [Double]?
            var lift: [Double]?
            var probability: Double?
            var fixed_difference: [Double]?
            var fixed_lift: [Double]?
            var fixed_probability: Double?
        }

        struct Look: Encodable {
            var winner: Int?
            var verdict: String
            var split_probability: Double
            /// Wilson's, of each group.
            var rates: [[Double]]
            var comparisons: [Comparison]
        }

        var looks: [Look]
    }

    private struct SizeAnswer: Encodable {
        var sequential: Int
        var fixed: Int
    }

    func run() throws {
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        func write(_ answer: some Encodable) throws {
            FileHandle.standardOutput.write(try encoder.encode(answer) + Data("\n".utf8))
        }
        while let line = readLine() {
            let data = Data(line.utf8)
            if let size = try? decoder.decode(Size.self, from: data) {
                let users = Experiment.requiredUsers(
                    shares: size.shares,
                    baseline: size.baseline,
                    smallestLift: size.smallest_lift
                )
                guard let users else { throw BenchError("there is no size for \(line)") }
                try write(SizeAnswer(sequential: users.sequential, fixed: users.fixed))
            } else {
                let question = try decoder.decode(Question.self, from: data)
                try write(Answer(looks: question.looks.map { Self.look($0, question) }))
            }
        }
    }

    private static func look(_ groups: [[Double]], _ question: Question) -> Answer.Look {
        let arms = zip(groups, question.shares).enumerated().map { number, group in
            ExperimentArm(
                group: .variant(number),
                share: group.1,
                sample: GroupSample(
                    users: Int(group.0[0]),
                    sum: group.0[1],
                    squares: group.0[2]
                )
            )
        }
        let experiment = Experiment(arms: arms, isRate: question.is_rate)
        var winner: Int?
        let verdict: String
        switch experiment.verdict {
        case .winner(.variant(let number)): (winner, verdict) = (number, "winner")
        case .winner(.control): verdict = "winner"
        case .noDifference: verdict = "no_difference"
        case .unknown: verdict = "unknown"
        case .nothingToCompare: verdict = "nothing_to_compare"
        }
        return Answer.Look(
            winner: winner,
            verdict: verdict,
            split_probability: SplitCheck(
                users: arms.map(\.sample.users),
                shares: question.shares
            ).probability,
            rates: question.is_rate
                ? arms.map {
                    ends(
                        FixedComparison.rate(
                            successes: Int($0.sample.sum),
                            users: $0.sample.users
                        )
                    )
                } : [],
            comparisons: experiment.comparisons.map { comparison in
                Answer.Comparison(
                    outcome: comparison.outcome.rawValue,
                    difference: comparison.differenceInterval.map(ends),
                    lift: comparison.liftInterval.map(ends),
                    probability: comparison.probability,
                    fixed_difference: comparison.fixedLook.difference.map(ends),
                    fixed_lift: comparison.fixedLook.lift.map(ends),
                    fixed_probability: comparison.fixedLook.probability
                )
            }
        )
    }

    private static func ends(_ interval: Interval) -> [Double] {
        [interval.low] + (interval.high.map { [$0] } ?? [])
    }
}
