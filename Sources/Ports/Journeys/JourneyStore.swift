import Foundation
import Model

/// Journeys and their versions.
package protocol JourneyStore: Sendable {
    /// Creates a draft.
    ///
    /// - Parameter audit: The audit record written in the same transaction.
    /// - Throws: `DraftFinishedError` if the draft of its origin has already become a journey.
    func createJourney(
        _ definition: JourneyDefinition,
        apiID: UUID,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: @escaping @Sendable (JourneyID) -> AuditRecord?,
        now: Date
    ) async throws -> Journey
    func journey(_ id: JourneyID) async throws -> Journey?
    func journey(apiID: UUID, in workspace: WorkspaceID) async throws -> Journey?
    func journeys(
        in workspace: WorkspaceID,
        matching query: JourneyQuery
    ) async throws -> (journeys: [Journey], total: Int)
    /// Replaces what is being edited; nobody's way changes.
    ///
    /// - Returns: `false` if it is archived or does not exist.
    /// - Throws: `DraftFinishedError` if the draft of its origin was already saved, and `StoreError`
    ///   with code `changed` if the journey was changed after its origin.
    func updateJourney(
        _ id: JourneyID,
        draft: JourneyDefinition,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool
    /// Makes the draft a version that people enter from now on, starts a journey that is a draft or
    /// stopped, and moves the people who are in it, in one transaction.
    ///
    /// - Returns: `nil` if it is archived or was changed after `request.draftedAt`.
    func publishJourney(
        _ request: JourneyPublication,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Journey?
    func journeyVersion(_ number: Int, of journey: JourneyID) async throws -> JourneyVersion?
    /// The newest first.
    func journeyVersions(of journey: JourneyID) async throws -> [JourneyVersion]
    /// Moves a journey to another state, if it is in one of `origins`, together with the messages
    /// that it has not sent yet. Stopping it ends every entry.
    ///
    /// - Parameters:
    ///   - state: `nil` resumes: the state before the pause.
    ///   - version: The time at which it must have been changed last; `nil` accepts any.
    /// - Returns: The sends that have changed; `nil` if the journey was in none of these states.
    func transitionJourney(
        _ id: JourneyID,
        from origins: Set<JourneyState>,
        to state: JourneyState?,
        version: Date?,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> [SendID]?
}

/// A version to publish.
package struct JourneyPublication: Sendable, Hashable {
    package var journey: JourneyID
    /// When the draft must have been changed last.
    package var draftedAt: Date
    package var migration: JourneyMigration
    /// The name of the member or API key.
    package var publisher: String

    package init(
        journey: JourneyID,
        draftedAt: Date,
        migration: JourneyMigration,
        publisher: String
    ) {
        self.journey = journey
        self.draftedAt = draftedAt
        self.migration = migration
        self.publisher = publisher
    }
}
