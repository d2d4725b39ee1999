#if canImport(os)
import os
#endif

/// Where the SDK's messages for the developer go.
public struct NoroshiLogger: Sendable {
    /// How grave a message is.
    public enum Level: Int, Sendable, Comparable, Codable {
        /// Every step.
        case debug
        /// What the SDK does.
        case info
        /// What could not be done.
        case error
        /// Nothing is written.
        case disabled

        /// Whether `lhs` tells less than `rhs`.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The least grave level that is written; `.error` at first.
    public var level: Level
    /// Writes a message; to the system's log on Apple's systems and to standard output elsewhere,
    /// unless set.
    public var print: @Sendable (_ message: String, _ level: Level) -> Void

    /// A logger that writes messages from `level` on.
    public init(
        level: Level = .error,
        print: @escaping @Sendable (String, Level) -> Void = NoroshiLogger.writeToSystem
    ) {
        self.level = level
        self.print = print
    }

    /// Writes `message` where the system's tools look for it.
    public static func writeToSystem(_ message: String, level: Level) {
        #if canImport(os)
        let logger = Logger(subsystem: "noroshi", category: "SDK")
        switch level {
        case .debug: logger.debug("\(message, privacy: .public)")
        case .info, .disabled: logger.info("\(message, privacy: .public)")
        case .error: logger.error("\(message, privacy: .public)")
        }
        #else
        Swift.print("[noroshi] [\(level)] \(message)")
        #endif
    }

    /// Writes `message` if `level` is grave enough.
    package func log(_ level: Level, _ message: @autoclosure () -> String) {
        guard level >= self.level, self.level != .disabled else { return }
        print(message(), level)
    }
}
