import Foundation

/// What systemd asks of a service of the type `notify`, in its environment: sd_notify(3) and
/// sd_watchdog_enabled(3).
package struct ServiceManagerSettings: Sendable, Hashable {
    /// The path of the manager's datagram socket; one that begins with `@` is an abstract name.
    package var socket: String
    /// How long the manager waits for a sign of life before it restarts the server; `nil` if it
    /// does not wait for any.
    package var watchdog: Duration?

    package init(socket: String, watchdog: Duration? = nil) {
        self.socket = socket
        self.watchdog = watchdog
    }

    /// - Parameter process: This process. A watchdog that is meant for another one, such as a
    ///   parent that has passed its environment on, is none.
    /// - Returns: `nil` if no manager listens.
    package init?(environment: [String: String], process: Int32) {
        guard let socket = environment["NOTIFY_SOCKET"],
            socket.hasPrefix("/") || socket.hasPrefix("@"), socket.utf8.count > 1
        else { return nil }
        self.socket = socket
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
            microseconds > 0,
            environment["WATCHDOG_PID"].map({ $0 == "\(process)" }) ?? true
        else { return }
        watchdog = .microseconds(microseconds)
    }
}
