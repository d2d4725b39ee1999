import Foundation
import Ports
import StoreSQL
import Synchronization

/// A server's right to work on its database.
enum ServerClaim: Sendable {
    /// No other server works on the file.
    case file(DatabaseClaim)
    /// Beside others, on PostgreSQL.
    case postgres(ServerPresence, address: String)

    /// What the server's claims of pushes are called.
    ///
    /// - Parameter name: What its operator calls it.
    func owner(_ name: String) -> String {
        switch self {
        case .file: name
        case .postgres(let presence, _): presence.server.id.uuidString
        }
    }

    /// The server's place among those of the database; `nil` for a file.
    var id: UUID? {
        switch self {
        case .file: nil
        case .postgres(let presence, _): presence.server.id
        }
    }

    /// Whether other servers may work on the database, too.
    var isShared: Bool {
        switch self {
        case .file: false
        case .postgres: true
        }
    }

    /// Lets the next server take the file.
    func release() {
        if case .file(let claim) = self { claim.release() }
    }
}

/// What a server knows of its own part among others.
final class ServerPart: Sendable {
    private struct State {
        var address: String?
        var leads: Bool
        var lastSign: Duration?
    }

    private let state: Mutex<State>

    /// - Parameter leads: Whether it does from the start what one server does for all.
    init(leads: Bool) { state = Mutex(State(leads: leads)) }

    /// Where it listens; `nil` until it does.
    var address: String? {
        get { state.withLock(\.address) }
        set { state.withLock { $0.address = newValue } }
    }

    /// Whether it does what one server does for all.
    var leads: Bool {
        get { state.withLock(\.leads) }
        set { state.withLock { $0.leads = newValue } }
    }

    /// Remembers a sign of life.
    ///
    /// - Parameter moment: The time since a fixed moment.
    func gaveSign(at moment: Duration) { state.withLock { $0.lastSign = moment } }

    /// Whether its last sign of life is so old that the others take it to be gone. One that gives none has no
    /// others beside it.
    func isSilent(at moment: Duration) -> Bool {
        guard let last = state.withLock(\.lastSign) else { return false }
        return moment - last > .seconds(ServerUpkeep.silence)
    }
}
