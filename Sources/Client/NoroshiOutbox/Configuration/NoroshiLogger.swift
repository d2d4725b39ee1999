#if canImport(os)
import os
#endif

/// The destination of the SDK's log messages.
public struct NoroshiLogger: Sendable {
    /// The severity of a message.
    public enum Level: Int, Sendable, Comparable, Codable {
        /// Every step.
        case debug
        /// The SDK's actions.
        case info
        /// Failures.
        case error
        /// Nothing is written.
        case disabled

        /// Whether `lhs` is less severe than `rhs`.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The minimum severity that is written; `.error` by default.
    public var level: Level
    /// Writes a message; by default to the system's log on Apple's systems and to standard output
    /// elsewhere.
    public var print: @Sendable (_ message: String, _ level: Level) -> Void

    /// A logger that writes messages with at least the severity `level`.
    public init(
        level: Level = .error,
        print: @escaping @Sendable (String, Level) -> Void = NoroshiLogger.writeToSystem
    ) {
        self.level = level
        self.print = print
    }

    /// Writes `message` to the system's log, or to standard output.
    @Sendable public static func writeToSystem(_ message: String, level: Level) {
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

    /// Writes `message` if it is severe enough.
    package func log(_ level: Level, _ message: @autoclosure () -> String) {
        guard level >= self.level, self.level != .disabled else { return }
        print(message(), level)
    }
}
