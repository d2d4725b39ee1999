import Experiments
import Model
import Ports
import Reports

/// The workspace's control group against everybody else, user by user.
package struct ControlGroupReport: Sendable, Hashable {
    package enum Measure: Sendable, Hashable {
        /// Who did it at all.
        case rate
        /// What a user paid.
        case revenue(currency: String)

        package var isRate: Bool { self == .rate }
        /// What programs call it.
        package var name: String { isRate ? "rate" : "revenue" }
    }

    package struct Result: Sendable, Hashable {
        package var measure: Measure
        /// The control group, and as variant 0 everybody else.
        package var experiment: Experiment
    }

    package var group: ControlGroup
    /// The first one decides.
    package var results: [Result]
    package var smallestLift: Double

    init(
        _ group: ControlGroup,
        _ question: ControlGroupQuestion,
        control: ReportEngine.GroupTally,
        others: ReportEngine.GroupTally
    ) {
        self.group = group
        smallestLift = question.smallestLift
        let share = Double(group.share) / 100
        func result(
            _ measure: Measure,
            _ sample: (ReportEngine.GroupTally) -> GroupSample
        ) -> Result {
            Result(
                measure: measure,
                experiment: Experiment(
                    arms: [
                        ExperimentArm(group: .control, share: share, sample: sample(control)),
                        ExperimentArm(group: .variant(0), share: 1 - share, sample: sample(others)),
                    ],
                    isRate: measure.isRate,
                    smallestLift: question.smallestLift
                )
            )
        }
        results = [result(.rate) { GroupSample(users: $0.users, successes: $0.active) }]
        if let currency = question.currency {
            results.append(
                result(.revenue(currency: currency)) {
                    GroupSample(users: $0.users, sum: $0.revenue, squares: $0.squaredRevenue)
                }
            )
        }
    }
}

extension ControlGroupReport {
    /// Each group in each measure, with the interval of its difference from the control group.
    static func table(_ report: ControlGroupReport?) -> ReportTable {
        ReportTable(
            columns: [
                "measure", "group", "users", "total", "per_user", "lift", "lift_low", "lift_high",
            ],
            rows: (report?.results ?? []).flatMap { result in
                result.experiment.arms.map { arm in
                    let comparison = result.experiment.comparisons.first { $0.group == arm.group }
                    return [
                        result.measure.name, arm.group == .control ? "control" : "others",
                        String(arm.sample.users), ReportTable.text(arm.sample.sum),
                        ReportTable.text(arm.sample.users == 0 ? nil : arm.sample.mean),
                        ReportTable.text(comparison?.lift),
                        ReportTable.text(comparison?.liftInterval?.low),
                        ReportTable.text(comparison?.liftInterval?.high),
                    ]
                }
            }
        )
    }
}

extension SegmentQuery {
    /// The members of the workspace's control group; nobody where there is none.
    package static let controlGroup = SegmentQuery(filter: #"{"control_group": true}"#)
}

extension ReportService {
    /// - Returns: `nil` if the workspace has no control group.
    /// - Throws: `FieldProblem`, `AudienceError`.
    package func controlGroup(
        _ question: ControlGroupQuestion,
        in workspace: WorkspaceID
    ) async throws -> ControlGroupReport? {
        try question.check()
        guard let group = try await audience.store.controlGroup(of: workspace) else { return nil }
        return try await answer(
            in: workspace,
            question.audience,
            nil,
            properties: question.properties
        ) { engine in
            let (control, others) = try await engine.controlGroup(question) {
                group.contains(ProfileID($0))
            }
            return ControlGroupReport(group, question, control: control, others: others)
        }
    }
}
