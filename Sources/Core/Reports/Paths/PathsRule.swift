/// Decides which path one user took. It is the meaning of the report, for whatever finds the user's
/// occurrences.
///
/// A user has one path: after the first occurrence of its start in the period, or before the last one.
/// Its steps are what else the user did no later (no earlier) than the window allows, in the order of
/// seconds and, within a second, of kinds; backwards in the opposite order. In the second of the start
/// everything of another kind is a step. What is done again without anything else between is one step.
package struct PathsRule: Sendable {
    /// Something that a user did.
    package struct Occurrence: Sendable, Hashable {
        package var time: Int64
        /// The kind's number in the order of kinds.
        package var kind: UInt32

        package init(time: Int64, kind: UInt32) {
            self.time = time
            self.kind = kind
        }
    }

    private let period: Range<Int64>
    private let direction: PathsQuestion.Direction
    private let length: Int
    private let window: Int64

    package init(_ question: PathsQuestion, period: Range<Int64>) {
        self.period = period
        direction = question.direction
        length = question.length
        window = Int64(question.window)
    }

    /// The seconds in which occurrences can matter.
    package var range: Range<Int64> {
        switch direction {
        case .after: period.lowerBound..<(period.upperBound + window)
        case .before: (period.lowerBound - window)..<period.upperBound
        }
    }

    /// When the user's path begins; `nil` if it does not.
    ///
    /// - Parameter times: The seconds of the start's occurrences, ascending.
    package func start(in times: UnsafeBufferPointer<Int64>) -> Int64? {
        switch direction {
        case .after:
            let place = FunnelRule.first(in: times, from: period.lowerBound)
            guard place < times.count, times[place] < period.upperBound else { return nil }
            return times[place]
        case .before:
            let place = FunnelRule.first(in: times, from: period.upperBound) - 1
            guard place >= 0, times[place] >= period.lowerBound else { return nil }
            return times[place]
        }
    }

    /// Whether an occurrence can be a step of a path that begins then.
    package func isStep(_ occurrence: Occurrence, from start: Int64, kind: UInt32) -> Bool {
        let distance =
            direction == .after ? occurrence.time - start : start - occurrence.time
        return (0...window).contains(distance) && (distance > 0 || occurrence.kind != kind)
    }

    /// The kinds of the path's steps.
    ///
    /// - Parameters:
    ///   - occurrences: Those that can be steps, in any order; they are put in order.
    ///   - kind: That of the start.
    package func path(
        _ occurrences: inout ArraySlice<Occurrence>,
        from kind: UInt32
    ) -> PathSteps {
        switch direction {
        case .after: occurrences.sort { ($0.time, $0.kind) < ($1.time, $1.kind) }
        case .before: occurrences.sort { ($0.time, $0.kind) > ($1.time, $1.kind) }
        }
        var steps = PathSteps()
        var last = kind
        for occurrence in occurrences where occurrence.kind != last {
            last = occurrence.kind
            steps.append(last)
            if steps.count == length { break }
        }
        return steps
    }
}

/// The kinds of a path's steps in one value, so that a million paths are counted without an array for
/// each.
package struct PathSteps: Sendable, Hashable {
    private var kinds = SIMD8<UInt32>(repeating: .max)
    package private(set) var count = 0

    package init() {}

    package mutating func append(_ kind: UInt32) {
        kinds[count] = kind
        count += 1
    }

    package subscript(step: Int) -> UInt32 { kinds[step] }
}
