import Foundation

/// Whether work grows with its input as its square or faster, whatever else the machine does.
///
/// The processor time of this thread is compared, not the time of day: what other programs take
/// away is not in it, and how fast the processor is cancels out.
package enum Growth {
    /// Times are compared from here on; below it the processor's clock says little.
    private static let floor = 0.002

    /// How many times as long `work` takes for an input of four times the size; about 4 for what is
    /// linear, 16 for what is quadratic. The least of some tries: others only make it larger.
    ///
    /// - Parameter work: is given the size.
    package static func ofFourTimes(_ size: Int, _ work: (Int) throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 1...3 {
            let small = try processorTime { try work(size) }
            let large = try processorTime { try work(size * 4) }
            least = min(least, large / max(small, floor))
            if least < 8 { break }
        }
        return least
    }

    private static func processorTime(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try work()
        return now() - start
    }
}
