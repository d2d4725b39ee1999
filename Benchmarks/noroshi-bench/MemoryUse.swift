import Foundation

/// The memory use of the process.
enum MemoryUse {
    /// Peak resident memory in bytes; 0 if the system does not provide it.
    static func peakBytes() -> Int { bytes("VmHWM:") }

    /// Current resident memory in bytes; 0 if the system does not provide it.
    static func currentBytes() -> Int { bytes("VmRSS:") }

    /// The part of it that is mapped from files, in bytes: the program, its libraries, the index of
    /// the log.
    static func fileBytes() -> Int { bytes("RssFile:") }

    private static func bytes(_ name: String) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return 0 }
        return (Int(kilobytes) ?? 0) * 1024
    }
}
