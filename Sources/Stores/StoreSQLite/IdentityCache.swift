import GRDB
import Model
import Synchronization

/// Whose the external ids are that came in lately, so that most events cost no look-up.
///
/// Only what is committed goes in, and everything goes out before an identity changes; both happen
/// on the writer's queue, so a transaction never sees what is no longer true. A command beside the
/// server may change identities as well: then everything goes out before the next use.
final class IdentityCache: Sendable {
    struct Key: Hashable, Sendable {
        var workspace: WorkspaceID
        var externalID: String
    }

    /// Ids of one generation; two are kept, about 100 bytes an id.
    private static let generationLimit = 100_000

    private struct State {
        var recent: [Key: ProfileID] = [:]
        var older: [Key: ProfileID] = [:]
        /// What SQLite counts when another connection has written.
        var version: Int64?
    }

    private let state = Mutex(State())

    func profile(_ externalID: String, in workspace: WorkspaceID) -> ProfileID? {
        let key = Key(workspace: workspace, externalID: externalID)
        return state.withLock { $0.recent[key] ?? $0.older[key] }
    }

    func add(_ found: [Key: ProfileID]) {
        state.withLock { state in
            if state.recent.count + found.count > Self.generationLimit {
                state.older = state.recent
                state.recent = [:]
            }
            state.recent.merge(found) { $1 }
        }
    }

    func removeAll() {
        state.withLock { state in
            state.recent = [:]
            state.older = [:]
        }
    }

    /// To be called inside of a transaction of the writer, whose number is its own.
    func forgetWhenOthersWrote(_ database: Database) throws {
        let statement = try database.cachedStatement(sql: "PRAGMA data_version")
        let version = try Int64.fetchOne(statement)
        state.withLock { state in
            if state.version != version {
                state.recent = [:]
                state.older = [:]
            }
            state.version = version
        }
    }
}
