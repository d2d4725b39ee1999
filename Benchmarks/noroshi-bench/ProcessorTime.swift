import Foundation

/// How long processors have worked for a process: what a measurement costs, however busy the
/// machine is with other things.
enum ProcessorTime {
    /// Seconds of this process.
    static func own() -> Double { seconds(of: 0) }

    /// Seconds of all child processes that have ended.
    static func children() -> Double { seconds(of: -1) }

    /// Seconds of another process that runs; 0 where the system does not tell.
    static func of(_ process: Int32) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return 0 }
        // Behind the name come the state and ten numbers, then the ticks in user and system mode.
        let fields = text[name...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13])
        else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// - Parameter who: 0 for this process, -1 for its children; the names of these numbers have
    ///   different types on different systems.
    private static func seconds(of who: Int32) -> Double {
        var usage = rusage()
        getrusage(who, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
