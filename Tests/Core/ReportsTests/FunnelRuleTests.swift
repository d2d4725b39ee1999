import Foundation
import Model
import Reasons
import Reports
import Segments
import Testing

@Suite("How far one user gets in a funnel")
struct FunnelRuleTests {
    private static let view = ReportActivity(.event("view"))
    private static let cart = ReportActivity(.event("cart"))
    private static let buy = ReportActivity(.purchase(products: []))

    private func question(
        _ steps: [ReportActivity],
        window: Int = 100,
        exclusions: [FunnelQuestion.Exclusion] = []
    ) -> FunnelQuestion {
        FunnelQuestion(
            period: ReportPeriod(.day, length: 1, endingAt: Date(milliseconds: 0), in: .gmt),
            steps: steps,
            window: window,
            exclusions: exclusions
        )
    }

    /// When the steps of the best attempt were, in a period of the seconds 0 to 999.
    private func times(
        _ question: FunnelQuestion,
        _ steps: [[Int64]],
        groups: [UInt32]? = nil,
        excluded: [[Int64]] = []
    ) -> (times: [Int64], group: UInt32) {
        let rule = FunnelRule(question, period: 0..<1_000)
        var best = FunnelRule.Attempt(steps: steps.count)
        var scratch = best
        let kept = (steps + excluded).map { times in
            let buffer = UnsafeMutableBufferPointer<Int64>.allocate(capacity: times.count)
            _ = buffer.initialize(from: times)
            return buffer
        }
        defer { for buffer in kept { buffer.deallocate() } }
        let pointers = kept.map { UnsafeBufferPointer($0) }
        (groups ?? []).withUnsafeBufferPointer { values in
            rule.attempt(
                Array(pointers.prefix(steps.count)),
                groups: groups == nil ? nil : values,
                excluded: Array(pointers.dropFirst(steps.count)),
                best: &best,
                scratch: &scratch
            )
        }
        return (Array(best.times.prefix(best.reached)), best.group)
    }

    @Test("each step is the first occurrence that is not before the one of the step before")
    func order() {
        let question = question([Self.view, Self.cart, Self.buy])
        #expect(times(question, [[10], [5, 20, 30], [15, 25]]).times == [10, 20, 25])
        #expect(times(question, [[10], [5], [15]]).times == [10])
        #expect(times(question, [[], [5], [15]]).times == [])
    }

    @Test("what happens in the same second has every order")
    func sameSecond() {
        #expect(
            times(question([Self.view, Self.cart, Self.buy]), [[7], [7], [7]]).times == [7, 7, 7]
        )
    }

    @Test("a step of the same kind as an earlier one is in a later second")
    func sameKind() {
        let twice = question([Self.view, Self.view])
        #expect(times(twice, [[7, 7], [7, 7]]).times == [7])
        #expect(times(twice, [[7, 8], [7, 8]]).times == [7, 8])
        let around = question([Self.view, Self.cart, Self.view])
        #expect(times(around, [[7], [7], [7]]).times == [7, 7])
        #expect(times(around, [[7, 9], [7], [7, 9]]).times == [7, 7, 9])
        let bought = ReportActivity(.purchase(products: ["tea"]))
        #expect(times(question([bought, Self.buy]), [[7], [7, 8]]).times == [7, 8])
    }

    @Test("the window is from the first step to the last, both ends belong to it")
    func window() {
        let question = question([Self.view, Self.cart, Self.buy], window: 100)
        #expect(times(question, [[0], [60], [100]]).times == [0, 60, 100])
        #expect(times(question, [[0], [60], [101]]).times == [0, 60])
        // A later attempt gets further.
        #expect(times(question, [[0, 50], [60], [101]]).times == [50, 60, 101])
    }

    @Test("an attempt begins in the period, and may end behind it")
    func period() {
        let question = question([Self.view, Self.cart])
        #expect(times(question, [[999], [1_050]]).times == [999, 1_050])
        #expect(times(question, [[1_000], [1_050]]).times == [])
        #expect(times(question, [[-1, 0], [5]]).times == [0, 5])
    }

    @Test("of attempts that get as far the first counts")
    func first() {
        let question = question([Self.view, Self.cart])
        #expect(times(question, [[1, 2, 300], [2, 310]]).times == [1, 2])
        #expect(times(question, [[1, 500], [700]]).times == [1])
    }

    @Test("an exclusion between two steps ends the attempt, one in the second of either does not")
    func exclusions() {
        let question = question(
            [Self.view, Self.cart, Self.buy],
            exclusions: [.init(ReportActivity(.session), after: 1, before: 2)]
        )
        let steps: [[Int64]] = [[0], [10], [20]]
        #expect(times(question, steps, excluded: [[15]]).times == [0, 10])
        #expect(times(question, steps, excluded: [[5, 10, 20]]).times == [0, 10, 20])
        // An attempt that begins later passes it.
        #expect(
            times(question, [[0, 12], [10, 16], [20]], excluded: [[13]]).times == [12, 16, 20]
        )
    }

    @Test("of several first steps in one second the least value counts")
    func groups() {
        let question = question([Self.view, Self.cart])
        let found = times(question, [[4, 4, 9], [12]], groups: [2, 5, 1])
        #expect(found.times == [4, 12])
        #expect(found.group == 2)
    }

    @Test("what a funnel cannot be asked is named by its field")
    func problems() {
        func field(_ change: (inout FunnelQuestion) -> Void) -> String? {
            var asked = question([Self.view, Self.cart])
            change(&asked)
            do throws(FieldProblem) {
                try asked.check()
                return nil
            } catch {
                return error.field
            }
        }
        #expect(field { _ in } == nil)
        #expect(field { $0.steps = [Self.view] } == "steps")
        #expect(field { $0.steps[1] = ReportActivity(.event("$purchase")) } == "steps.1.event")
        #expect(field { $0.window = 0 } == "window_seconds")
        #expect(field { $0.window = 366 * 86_400 + 1 } == "window_seconds")
        #expect(field { $0.period.length = 401 } == "length")
        #expect(
            field { $0.exclusions = [.init(Self.buy, after: 0, before: 0)] }
                == "exclusions.0.before_step"
        )
        #expect(
            field { $0.exclusions = [.init(Self.buy, after: 1, before: 1)] }
                == "exclusions.0.after_step"
        )
        #expect(field { $0.breakdown = ReportBreakdown(.platform, limit: 21) } == "breakdown.limit")
        #expect(field { $0.constant = AttributePath([.key("a"), .each]) } == "hold_constant")
    }
}
