import Model
import Relational
import Synchronization

/// Caches the users of recently used external ids, so that most events need no lookup.
///
/// Only committed identities are cached, and the cache is cleared before an identity changes. Both
/// happen on the writer's queue, so that a transaction never sees outdated identities. A command
/// that runs beside the server may change identities too; the cache is then cleared before its next
/// use.
final class IdentityCache: Sendable {
    struct Key: Hashable, Sendable {
        var workspace: WorkspaceID
        var externalID: String
    }

    /// Maximum number of ids per generation; two generations are kept, at about 100 bytes per id.
    private let generationLimit: Int

    private struct State {
        var recent: [Key: ProfileID] = [:]
        var older: [Key: ProfileID] = [:]
        /// Changes when another connection has written.
        var version: Int64?
    }

    private let state = Mutex(State())

    private let isLone: Bool

    /// - Parameter isLone: Whether the store has a `LoneConnection`.
    init(generationLimit: Int = 100_000, isLone: Bool = false) {
        self.generationLimit = generationLimit
        self.isLone = isLone
    }

    func profile(_ externalID: String, in workspace: WorkspaceID) -> ProfileID? {
        let key = Key(workspace: workspace, externalID: externalID)
        return state.withLock { $0.recent[key] ?? $0.older[key] }
    }

    /// Adds what a transaction has found, once it is committed.
    func add(_ found: [Key: ProfileID], after database: Database) {
        // A lone connection commits rarely, and removes all when a write is undone.
        if isLone { return add(found) }
        database.afterCommit { [self] in add(found) }
    }

    func add(_ found: [Key: ProfileID]) {
        state.withLock { state in
            if state.recent.count + found.count > generationLimit {
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

    /// Call within a transaction of the writer.
    func forgetWhenOthersWrote(_ database: Database) throws {
        let version = try database.foreignWrites()
        state.withLock { state in
            if state.version != version {
                state.recent = [:]
                state.older = [:]
            }
            state.version = version
        }
    }
}
