import Foundation

/// Figures of the operating system about this process and its disk; `nil` where it does not tell.
enum SystemFigures {
    /// Memory in use, in bytes.
    static var memory: Double? {
        guard let words = words("/proc/self/statm"), words.count > 1,
            let pages = Double(words[1])
        else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Processor time since the start, in seconds.
    static var processorTime: Double {
        // POSIX has a million ticks a second.
        Double(clock()) / 1_000_000
    }

    static var openFiles: Int? {
        // Without the one that reads the folder.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))
            .map { max(0, $0.count - 1) }
    }

    static var fileLimit: Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Max open files") }),
            let limit = line.split(separator: " ").dropFirst(3).first
        else { return nil }
        return limit == "unlimited" ? .infinity : Double(limit)
    }

    /// The size of a file in bytes; 0 for one that is not there.
    static func size(of path: String) -> Double {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return ((facts?[.size] as? NSNumber)?.doubleValue) ?? 0
    }

    /// The disk of a file: the room that this process may still use, and the size, in bytes.
    static func disk(of path: String) -> (free: Double, size: Double)? {
        var facts = statvfs()
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard statvfs(folder, &facts) == 0 else { return nil }
        let block = Double(facts.f_frsize)
        return (Double(facts.f_bavail) * block, Double(facts.f_blocks) * block)
    }

    private static func words(_ path: String) -> [Substring]? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ")
    }
}
