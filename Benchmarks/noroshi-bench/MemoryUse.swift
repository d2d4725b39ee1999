import Foundation

/// How much memory the process has needed.
enum MemoryUse {
    /// The most resident memory so far; 0 where the system does not tell.
    static func peakBytes() -> Int { bytes("VmHWM:") }

    /// The resident memory now; 0 where the system does not tell.
    static func currentBytes() -> Int { bytes("VmRSS:") }

    /// The part of it that holds pages of files: the program, its libraries, the index of the log.
    static func fileBytes() -> Int { bytes("RssFile:") }

    private static func bytes(_ name: String) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return 0 }
        return (Int(kilobytes) ?? 0) * 1024
    }
}
