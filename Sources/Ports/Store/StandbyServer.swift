import Foundation

/// A server that waits for the one that has the database.
package struct StandbyServer: Sendable, Hashable {
    package var host: String
    package var process: Int32
    /// The port that it was told to listen on.
    package var port: Int
    package var version: String
    /// Since when it waits, by the database's clock.
    package var since: Date

    package init(host: String, process: Int32, port: Int, version: String, since: Date) {
        self.host = host
        self.process = process
        self.port = port
        self.version = version
        self.since = since
    }
}
