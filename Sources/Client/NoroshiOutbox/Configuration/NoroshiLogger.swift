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
    /// Writes a message; standard output at first.
    public var print: @Sendable (_ message: String, _ level: Level) -> Void

    /// A logger that writes messages from `level` on.
    public init(
        level: Level = .error,
        print: @escaping @Sendable (String, Level) -> Void = { message, level in
            Swift.print("[noroshi] [\(level)] \(message)")
        }
    ) {
        self.level = level
        self.print = print
    }

    /// Writes `message` if `level` is grave enough.
    package func log(_ level: Level, _ message: @autoclosure () -> String) {
        guard level >= self.level, self.level != .disabled else { return }
        print(message(), level)
    }
}
