import Model
import Relational
import Synchronization

/// Caches the users of recently used external ids, so that most events need no lookup.
///
/// Only committed identities are cached, and the cache is cleared before an identity changes. Both
/// happen on the writer's queue, so that a transaction never sees outdated identities. Other servers and
/// commands change identities too; the cache is then cleared before its next use.
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
        /// Changes when another process may have changed identities.
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

    /// Forgets everything, here and in other processes, because the transaction changes identities.
    func forgetAll(_ database: Database) throws {
        removeAll()
        try database.noteIdentityChange()
    }

    /// Forgets everything if others have changed identities. Call within a transaction of the writer.
    func forgetWhatOthersChanged(_ database: Database) throws {
        let version = try database.identityVersion()
        state.withLock { state in
            if state.version != version {
                state.recent = [:]
                state.older = [:]
            }
            state.version = version
        }
    }
}
