import Audience
import Foundation
import Model
import Ports
import Reports
import Segments
import Testing

/// What members may ask about what users did.
enum RandomConditions {
    static func condition(
        _ random: inout SeededGenerator,
        now: Date,
        often subject: ReportActivity.Subject? = nil
    ) -> ActivityCondition {
        let comparisons: [Comparison] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        let comparison = comparisons[.random(in: 0..<comparisons.count, using: &random)]
        let measure: ActivityCondition.Measure =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: .first(comparison, moment(&random, now))
            case 1: .last(comparison, moment(&random, now))
            default: .count(comparison, .random(in: 0...6, using: &random))
            }
        let isNarrow = Int.random(in: 0..<4, using: &random) == 0
        return ActivityCondition(
            subject: activity(&random, often: subject).condition.subject,
            properties: isNarrow
                ? [.init(path: path("color"), test: .equal(.string("red")))] : [],
            measure: measure,
            from: Int.random(in: 0..<3, using: &random) == 0 ? moment(&random, now) : nil,
            until: Int.random(in: 0..<3, using: &random) == 0 ? moment(&random, now) : nil
        )
    }

    private static func moment(_ random: inout SeededGenerator, _ now: Date) -> TimePoint {
        let days = Int64.random(in: 0...150, using: &random)
        return switch Int.random(in: 0..<3, using: &random) {
        case 0: .now(offset: -days * 86_400)
        case 1: .today(offsetInDays: -days)
        default: .at(Int64(now.timeIntervalSince1970) - days * 86_400)
        }
    }

    private static func path(_ name: String) -> AttributePath {
        guard let path = AttributePath(name) else { preconditionFailure("a name is not empty") }
        return path
    }

    private static func activity(
        _ random: inout SeededGenerator,
        often subject: ReportActivity.Subject?
    ) -> ReportActivity {
        if let subject, Bool.random(using: &random) { return ReportActivity(subject) }
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: ReportActivity(.session)
        case 1: ReportActivity(.purchase(products: []))
        case 2: ReportActivity(.event(EventHistory.goal))
        default:
            ReportActivity(
                .event(
                    EventHistory.names[.random(in: 0..<EventHistory.names.count, using: &random)]
                )
            )
        }
    }

    static func report(
        _ random: inout SeededGenerator,
        now: Date,
        often subject: ReportActivity.Subject? = nil
    ) -> ReportQuestion {
        func asked(_ random: inout SeededGenerator) -> ReportActivity {
            var activity = activity(&random, often: subject)
            if Int.random(in: 0..<4, using: &random) == 0 {
                activity.properties = [.init(path: path("color"), test: .equal(.string("red")))]
            }
            return activity
        }
        let unit: ReportUnit = Bool.random(using: &random) ? .day : .week
        let end = now - Double(Int.random(in: 0...60, using: &random)) * 86_400
        let period = ReportPeriod(
            unit,
            length: .random(in: 1...5, using: &random),
            endingAt: end,
            in: .gmt
        )
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return .funnel(
                FunnelQuestion(
                    period: period,
                    steps: [asked(&random), asked(&random)],
                    window: 20 * 86_400
                )
            )
        case 1:
            return .retention(
                RetentionQuestion(
                    period: period,
                    cohort: Bool.random(using: &random) ? .first : .recurring,
                    mode: Bool.random(using: &random) ? .nDay : .unbounded,
                    intervals: 4,
                    first: asked(&random),
                    returning: asked(&random)
                )
            )
        case 2:
            return .series(
                SeriesQuestion(
                    period: period,
                    figure: .activity(asked(&random)),
                    measure: Bool.random(using: &random) ? .total : .users,
                    isCompared: Bool.random(using: &random)
                )
            )
        default:
            return .paths(
                PathsQuestion(
                    period: period,
                    direction: Bool.random(using: &random) ? .after : .before,
                    start: asked(&random),
                    length: 3,
                    window: 5 * 86_400
                )
            )
        }
    }
}

/// The users whom a server finds, and since when it says that all of it is there.
struct Answers {
    private let history: EventHistory

    init(_ history: EventHistory) {
        self.history = history
    }

    func users(
        _ rule: SegmentRule,
        of server: EventHistory.Server
    ) async throws -> (users: [Int64], since: Date?) {
        let workspace = server.workspace
        let book = WorkspaceSegmentResolver(segments: [], lists: [])
        let selection = try await server.audience.select(rule, book: book, in: workspace)
        return (
            try await selection.profiles(),
            try await server.audience.completeSince(rule, book: book, in: workspace)
        )
    }

    /// What the server that removes answers without saying since when, the one that keeps all answers too.
    func compare(
        _ label: String,
        times: Int,
        _ condition: () -> ActivityCondition
    ) async throws {
        var (complete, limited) = (0, 0)
        for number in 0..<times {
            let condition = condition()
            let rule = SegmentRule.condition(.activity(condition))
            let (own, since) = try await users(rule, of: history.removing)
            let (all, always) = try await users(rule, of: history.keeping)
            #expect(always == nil)
            guard since == nil else {
                limited += 1
                continue
            }
            complete += 1
            #expect(own == all, "\(label), \(number): \(condition)")
        }
        #expect(complete > 60 && limited > 10, "\(label): \(complete), \(limited)")
    }
}
