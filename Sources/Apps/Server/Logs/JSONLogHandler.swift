import Foundation
import JSON
import Logging
import NoroshiWire

/// Writes each event of the log as a JSON object in a line of its own: `time`, `level`, `message`,
/// and the event's metadata by their own names, in alphabetical order.
package struct JSONLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Takes whole lines with their ends, from any thread.
    package init(
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void = JSONLogHandler.standardError
    ) {
        self.now = now
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var values = metadata
        if let provider = metadataProvider { values.merge(provider.get()) { _, new in new } }
        if let given = event.metadata { values.merge(given) { _, new in new } }
        let time = now().formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(
                separator: .omitted
            )
        )
        var fields = [
            ("time", time), ("level", event.level.rawValue), ("message", "\(event.message)"),
        ]
        // The names of the fields of every line are taken.
        let taken = Set(fields.map(\.0))
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            fields.append((taken.contains(key) ? "_" + key : key, "\(value)"))
        }
        let text = fields.map { "\(Self.quoted($0)):\(Self.quoted($1))" }.joined(separator: ",")
        write("{\(text)}\n")
    }

    private static func quoted(_ text: String) -> String { JSONWriter.text(.string(text)) }

    /// One system call for a line, so that lines of several threads do not mix.
    package static let standardError: @Sendable (String) -> Void = { line in
        var line = line
        line.withUTF8 { bytes in
            // A log that nobody can read stops nothing.
            _ = Foundation.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
