import Segments

/// Decides how far one user gets in a funnel. It is the meaning of the report, for whatever finds the
/// user's occurrences.
///
/// Each occurrence of the first step within the period begins an attempt. In it each further step is
/// the first occurrence that is not before the step before it, is in a later second than the last
/// earlier step of the same kind, and is no later after the first step than the window. An attempt
/// goes no further where an exclusion lies between: in a later second than the one step and in an
/// earlier one than the next. The user is counted with the attempt that gets furthest; of several with
/// the one that begins first, then with the least constant value, then with the least value of the
/// breakdown.
package struct FunnelRule: Sendable {
    /// The seconds of one user's occurrences of one step, ascending.
    package typealias Times = UnsafeBufferPointer<Int64>

    package let period: Range<Int64>
    private let window: Int64
    /// For each step the latest earlier one of the same kind.
    private let sameKind: [Int?]
    /// For each step the exclusions that count on the way to it.
    private let exclusions: [[Int]]

    /// How far an attempt came.
    package struct Attempt: Sendable, Hashable {
        /// How many steps were reached; none by whoever never began.
        package var reached = 0
        /// When, of as many steps as were reached.
        package var times: [Int64]
        /// The number of the breakdown's value at the first step.
        package var group: UInt32 = 0

        package init(steps: Int) {
            times = Array(repeating: 0, count: steps)
        }

        package mutating func clear() { reached = 0 }
    }

    package init(_ question: FunnelQuestion, period: Range<Int64>) {
        self.period = period
        window = Int64(question.window)
        let steps = question.steps
        sameKind = steps.indices.map { step in
            (0..<step).last { steps[$0].isOfSameKind(as: steps[step]) }
        }
        exclusions = steps.indices.map { step in
            question.exclusions.indices.filter {
                question.exclusions[$0].after < step && step <= question.exclusions[$0].before
            }
        }
    }

    /// Puts the user's best attempt into `best` where it is better than the one that is there.
    ///
    /// To be called once, or for each constant value in ascending order.
    ///
    /// - Parameters:
    ///   - steps: The occurrences of each step.
    ///   - groups: The breakdown's value of each occurrence of the first step, ascending within the
    ///     same second; `nil` without such a breakdown.
    ///   - excluded: The occurrences of each exclusion.
    ///   - scratch: An attempt to work with.
    package func attempt(
        _ steps: [Times],
        groups: UnsafeBufferPointer<UInt32>?,
        excluded: [Times],
        best: inout Attempt,
        scratch: inout Attempt
    ) {
        let starts = steps[0]
        var place = Self.first(in: starts, from: period.lowerBound)
        var last: Int64?
        while place < starts.count {
            let start = starts[place]
            defer { place += 1 }
            guard start < period.upperBound else { return }
            // The same second again leads to the same place.
            if start == last { continue }
            last = start
            if best.reached == steps.count, best.times[0] <= start { return }
            follow(from: start, steps, excluded, &scratch)
            let isBetter =
                scratch.reached > best.reached
                || (scratch.reached == best.reached && start < best.times[0])
            guard isBetter else { continue }
            scratch.group = groups?[place] ?? 0
            swap(&best, &scratch)
        }
    }

    private func follow(
        from start: Int64,
        _ steps: [Times],
        _ excluded: [Times],
        _ attempt: inout Attempt
    ) {
        attempt.times[0] = start
        attempt.reached = 1
        var previous = start
        for step in 1..<steps.count {
            var earliest = previous
            if let same = sameKind[step] { earliest = max(earliest, attempt.times[same] + 1) }
            let times = steps[step]
            let place = Self.first(in: times, from: earliest)
            guard place < times.count, times[place] - start <= window else { return }
            let time = times[place]
            for exclusion in exclusions[step] {
                let others = excluded[exclusion]
                let next = Self.first(in: others, from: previous + 1)
                if next < others.count, others[next] < time { return }
            }
            attempt.times[step] = time
            attempt.reached = step + 1
            previous = time
        }
    }

    /// The place of the first time that is not before `time`.
    static func first(in times: Times, from time: Int64) -> Int {
        var low = 0
        var high = times.count
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
