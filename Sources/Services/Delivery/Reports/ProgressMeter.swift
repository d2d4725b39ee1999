import Foundation

/// How fast a send goes, from what was done at several times.
package struct ProgressMeter: Sendable {
    private struct Sample {
        var time: Date
        var done: Int
    }

    /// The rate is that of so many seconds.
    private static let window: TimeInterval = 10

    private var samples: [Sample] = []

    package init() {}

    package mutating func note(_ progress: DeliveryProgress, at time: Date) {
        samples.append(Sample(time: time, done: progress.done))
        while samples.count > 2, time.timeIntervalSince(samples[1].time) >= Self.window {
            samples.removeFirst()
        }
    }

    /// Rows that got their outcome in a second; `nil` before there are two looks.
    package var perSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else {
            return nil
        }
        return Double(last.done - first.done) / last.time.timeIntervalSince(first.time)
    }

    /// Seconds until the rest is done at this rate; `nil` when nothing moves or the total grows.
    package func timeLeft(of progress: DeliveryProgress) -> TimeInterval? {
        guard progress.isTotalFinal, let perSecond, perSecond > 0 else { return nil }
        return Double(progress.total - progress.done) / perSecond
    }
}
