import Foundation
import Ingestion
import Model
import NoroshiWire
import Ports
import Reasons

/// Changes attributes of one user by hand, through the same ingestion as `/users/track`.
package struct ProfileEditor: Sendable {
    private let store: any ProfileStore
    private let ingestion: IngestionService
    private let now: @Sendable () -> Date

    package init(
        store: any ProfileStore,
        ingestion: IngestionService,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.ingestion = ingestion
        self.now = now
    }

    /// Makes all of the changes or none, and only where nothing has changed since somebody looked.
    ///
    /// The audit log records the user's number and the names of the attributes, no values: those
    /// are personal data.
    ///
    /// - Parameter basis: What the values were when somebody looked, by name; `.null` for none.
    /// - Returns: Whether the user still exists.
    /// - Throws: `ValidationError` with every attribute that cannot be stored as wanted,
    ///   `NotAllowedError` for members who are not marketers, and `IngestionError`.
    package func change(
        _ user: ProfileID,
        _ values: [String: JSONValue],
        since basis: [String: JSONValue],
        by actor: Actor
    ) async throws -> Bool {
        try actor.require(.marketer)
        guard let profile = try await store.profile(user), profile.workspace == actor.workspace
        else { return false }
        guard !values.isEmpty else { return true }
        var changes = AttributeChanges(values)
        changes.basis = basis.filter { values[$0.key] != nil }
        let time = now()
        // Everything that is wrong is named at once; the transaction looks again.
        var changed = profile
        let problems = changed.apply(changes, at: time)
        guard problems.isEmpty else { throw ValidationError(problems) }
        let request = IngestRequest(
            workspace: actor.workspace,
            source: .api,
            items: [
                IngestItem(
                    recordID: nil,
                    user: .profile(profile.publicID),
                    updatesExistingOnly: true,
                    time: time,
                    content: .attributes(changes)
                )
            ],
            audit: AuditRecord(
                at: time,
                by: actor,
                action: "user_changed",
                subject: "\(user)",
                detail: values.keys.sorted().joined(separator: ", ")
            )
        )
        switch try await ingestion.submit(request).first {
        case .rejected(let problem) where problem.reason == Reason(UserDataReason.noSuchUser):
            return false
        case .rejected(let problem):
            throw ValidationError([problem])
        case .stored, .duplicate, nil:
            return true
        }
    }
}
