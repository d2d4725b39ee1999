import ArgumentParser
import Foundation
import Model
import StoreSQL

/// A user whom a command names by external id, e-mail address or braze_id.
enum CommandUser {
    static func reference(
        _ user: String,
        in workspace: WorkspaceID,
        _ store: SQLStore
    ) async throws -> UserReference {
        let candidates = [
            UserReference.external(user), UUID(uuidString: user).map(UserReference.profile),
            user.contains("@") ? .email(user) : nil,
        ].compactMap(\.self)
        for candidate in candidates
        where try await store.profile(candidate, in: workspace) != nil {
            return candidate
        }
        throw ValidationError("there is no user '\(user)'")
    }
}
