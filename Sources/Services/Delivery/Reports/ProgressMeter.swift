import Foundation

/// Measures the rate of a send from its progress at several times.
package struct ProgressMeter: Sendable {
    private struct Sample {
        var time: Date
        var done: Int
    }

    /// Length of the measured window, in seconds.
    private static let window: TimeInterval = 10

    private var samples: [Sample] = []

    package init() {}

    package mutating func note(_ progress: DeliveryProgress, at time: Date) {
        samples.append(Sample(time: time, done: progress.done))
        while samples.count > 2, time.timeIntervalSince(samples[1].time) >= Self.window {
            samples.removeFirst()
        }
    }

    /// Number of outcomes per second; `nil` before the second measurement.
    package var perSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else {
            return nil
        }
        return Double(last.done - first.done) / last.time.timeIntervalSince(first.time)
    }

    /// Remaining time at this rate, in seconds; `nil` if nothing progresses or the total grows.
    package func timeLeft(of progress: DeliveryProgress) -> TimeInterval? {
        guard progress.isTotalFinal, let perSecond, perSecond > 0 else { return nil }
        return Double(progress.total - progress.done) / perSecond
    }
}
