import Logging
import Synchronization

/// The level from which on lines are written, which can be changed while the server runs.
package final class LogLevel: Sendable {
    private let level: Mutex<Logger.Level>

    package init(_ level: Logger.Level) {
        self.level = Mutex(level)
    }

    package var current: Logger.Level { level.withLock(\.self) }

    package func set(_ new: Logger.Level) { level.withLock { $0 = new } }
}

/// Writes what the level of the moment lets through.
struct LevelledLogHandler: LogHandler {
    var inner: any LogHandler
    let level: LogLevel
    /// The level that a part of the server has set for its own logger.
    private var own: Logger.Level?

    init(_ inner: any LogHandler, _ level: LogLevel) {
        self.inner = inner
        self.level = level
        self.inner.logLevel = .trace
    }

    var logLevel: Logger.Level {
        get { own ?? level.current }
        set { own = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { inner.log(event: event) }
}
