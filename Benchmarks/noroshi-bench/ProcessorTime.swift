import Foundation

/// The processor time of a process: the cost of a measurement, independent of other load.
enum ProcessorTime {
    /// Processor time of this process, in seconds.
    static func own() -> Double { seconds(of: 0) }

    /// Processor time of all ended child processes, in seconds.
    static func children() -> Double { seconds(of: -1) }

    /// Processor time of another running process, in seconds; 0 if the system does not provide it.
    static func of(_ process: Int32) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return 0 }
        // The name is followed by the state and ten numbers, then the ticks in user and system
        // mode.
        let fields = text[name...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13])
        else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// - Parameter who: 0 for this process, -1 for its children; the named constants have different
    ///   types on different systems.
    private static func seconds(of who: Int32) -> Double {
        var usage = rusage()
        getrusage(who, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
