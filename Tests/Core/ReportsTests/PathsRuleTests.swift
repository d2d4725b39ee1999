import Foundation
import Model
import Reasons
import Reports
import Testing

@Suite("Which path one user takes")
struct PathsRuleTests {
    /// The kinds in their order: a session, `a`, `b`, `c`, a purchase.
    private static let kinds: [PathKind] = [
        .session, .event("a"), .event("b"), .event("c"), .purchase,
    ]

    private func question(
        _ direction: PathsQuestion.Direction = .after,
        length: Int = 8,
        window: Int = 100,
        limit: Int = 5
    ) -> PathsQuestion {
        PathsQuestion(
            period: ReportPeriod(.day, length: 1, endingAt: Date(milliseconds: 0), in: .gmt),
            direction: direction,
            start: ReportActivity(.event("a")),
            length: length,
            window: window,
            limit: limit
        )
    }

    /// The path of a user with occurrences at seconds of a period from 0 to 999, from `a`; `nil` if
    /// there is none.
    private func path(_ question: PathsQuestion, _ done: [(Int64, PathKind)]) -> [PathKind]? {
        let rule = PathsRule(question, period: 0..<1_000)
        let occurrences = done.map { time, kind in
            PathsRule.Occurrence(
                time: time,
                kind: UInt32(Self.kinds.firstIndex(of: kind) ?? 0)
            )
        }
        let starts = occurrences.filter { $0.kind == 1 }.map(\.time).sorted()
        guard let start = starts.withUnsafeBufferPointer({ rule.start(in: $0) }) else {
            return nil
        }
        var steps = occurrences.filter { rule.isStep($0, from: start, kind: 1) }[...]
        let path = rule.path(&steps, from: 1)
        return (0..<path.count).map { Self.kinds[Int(path[$0])] }
    }

    private let b = PathKind.event("b")
    private let c = PathKind.event("c")
    private let a = PathKind.event("a")

    @Test("after: from the first start in the period on; before: back from the last one")
    func directions() {
        let done: [(Int64, PathKind)] = [
            (5, b), (10, a), (20, c), (30, .purchase), (40, a), (50, b),
        ]
        #expect(path(question(), done) == [c, .purchase, a, b])
        #expect(path(question(.before), done) == [.purchase, c, a, b])
    }

    @Test("a path begins in the period; its steps may lie outside of it")
    func period() {
        #expect(path(question(), [(999, a), (1_010, b)]) == [b])
        #expect(path(question(.before), [(0, a), (-10, b)]) == [b])
        #expect(path(question(), [(1_000, a), (-1, a), (5, b)]) == nil)
        #expect(path(question(.before), [(1_000, a), (-1, a), (5, b)]) == nil)
        #expect(path(question(), [(0, a)]) == [])
    }

    @Test("both ends of the window belong to it")
    func window() {
        #expect(path(question(), [(0, a), (100, b), (101, c)]) == [b])
        #expect(path(question(.before), [(500, a), (400, b), (399, c)]) == [b])
    }

    @Test("in the second of the start everything of another kind is a step")
    func sameSecond() {
        let done: [(Int64, PathKind)] = [(7, .purchase), (7, c), (7, a), (7, a), (7, .session)]
        #expect(path(question(), done) == [.session, c, .purchase])
        #expect(path(question(.before), done) == [.purchase, c, .session])
    }

    @Test("what is done again with nothing else between is one step, the start too")
    func again() {
        let done: [(Int64, PathKind)] = [(0, a), (1, a), (2, b), (3, b), (4, a), (5, b)]
        #expect(path(question(), done) == [b, a, b])
    }

    @Test("a path has no more steps than were asked for")
    func length() {
        let done: [(Int64, PathKind)] = [(0, a), (1, b), (2, c), (3, b)]
        #expect(path(question(length: 2), done) == [b, c])
    }

    private func answer(_ question: PathsQuestion, _ paths: [([UInt32], Int)]) -> PathsAnswer {
        var counts: [PathSteps: Int] = [:]
        for (kinds, users) in paths {
            var steps = PathSteps()
            for kind in kinds { steps.append(kind) }
            counts[steps] = users
        }
        return PathsAnswer(question, counts: counts, kinds: Self.kinds)
    }

    @Test("a step shows the most frequent kinds, the others together, and who did nothing more")
    func answer() {
        let answer = answer(
            question(length: 2, limit: 2),
            [([2, 3], 5), ([2], 3), ([3, 4], 4), ([4, 2], 1), ([0, 2], 1), ([], 2)]
        )
        #expect(answer.users == 16)
        #expect(
            answer.steps[0].nodes == [
                .init(.kind(b), users: 8), .init(.kind(c), users: 4), .init(.other, users: 2),
                .init(.end, users: 2),
            ]
        )
        #expect(
            answer.steps[0].links == [
                .init(from: 0, to: 0, users: 8), .init(from: 0, to: 1, users: 4),
                .init(from: 0, to: 2, users: 2), .init(from: 0, to: 3, users: 2),
            ]
        )
        // Whoever ended before is at no place of the second step.
        #expect(
            answer.steps[1].nodes == [
                .init(.kind(c), users: 5), .init(.kind(.purchase), users: 4),
                .init(.other, users: 2), .init(.end, users: 3),
            ]
        )
        #expect(
            answer.steps[1].links == [
                .init(from: 0, to: 0, users: 5), .init(from: 0, to: 3, users: 3),
                .init(from: 1, to: 1, users: 4), .init(from: 2, to: 2, users: 2),
            ]
        )
        #expect(answer.paths.map(\.users) == [5, 4, 3, 2, 1, 1])
        #expect(answer.paths.map(\.kinds.first) == [b, c, b, nil, .session, .purchase])
    }

    @Test("of equally many the first in the order of kinds is shown")
    func ties() {
        let answer = answer(question(length: 1, limit: 1), [([4], 2), ([2], 2), ([3], 2)])
        #expect(
            answer.steps[0].nodes == [.init(.kind(b), users: 2), .init(.other, users: 4)]
        )
    }

    @Test("no more than twenty whole paths are listed")
    func shown() {
        let paths = (0..<5).flatMap { one in
            (0..<5).map { ([UInt32(one), UInt32($0)], 1) }
        }
        let answer = answer(question(), paths)
        #expect(answer.users == 25)
        #expect(answer.paths.count == 20)
    }

    @Test("what is asked has its bounds")
    func bounds() throws {
        try question().check()
        for (question, field) in [
            (question(length: 0), "steps"), (question(length: 9), "steps"),
            (question(window: 0), "window_seconds"), (question(limit: 0), "limit"),
            (question(limit: 21), "limit"),
        ] {
            #expect { try question.check() } throws: {
                ($0 as? FieldProblem)?.field.description == field
            }
        }
        var strange = question()
        strange.start = ReportActivity(.event("$purchase"))
        #expect(throws: FieldProblem.self) { try strange.check() }
        strange = question()
        strange.leftOut = [ReportActivity(.event(""))]
        #expect(throws: FieldProblem.self) { try strange.check() }
    }
}
