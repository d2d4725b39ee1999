import Logging

/// What the log says, and how.
package struct LogSettings: Sendable, Hashable {
    package enum Format: String, Sendable, CaseIterable {
        /// A line of words with `key=value`.
        case text
        /// A JSON object in a line.
        case json
    }

    package var level = Logger.Level.info
    package var format = Format.text
    /// Whether each answered request has a line.
    package var hasRequests = false

    package init() {}

    /// A logger that writes to standard error; standard output is for the output of a command.
    package func logger(_ level: LogLevel) -> Logger {
        Logger(label: "noroshi") { label in
            switch format {
            case .text:
                return LevelledLogHandler(
                    StreamLogHandler.standardError(label: label, metadataProvider: .traces),
                    level
                )
            case .json:
                var handler = JSONLogHandler()
                handler.metadataProvider = .traces
                return LevelledLogHandler(handler, level)
            }
        }
    }
}
