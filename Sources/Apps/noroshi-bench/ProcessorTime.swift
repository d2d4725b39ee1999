import Foundation

/// How long processors have worked for a process: what a measurement costs, however busy the
/// machine is with other things.
enum ProcessorTime {
    /// Seconds of this process.
    static func own() -> Double { seconds(of: 0) }

    /// Seconds of all child processes that have ended.
    static func children() -> Double { seconds(of: -1) }

    /// - Parameter who: 0 for this process, -1 for its children; the names of these numbers have
    ///   different types on different systems.
    private static func seconds(of who: Int32) -> Double {
        var usage = rusage()
        getrusage(who, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
