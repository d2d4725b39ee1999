import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons

/// The actions of members and the REST API on journeys. People are moved by `JourneyRunner`.
///
/// Every change checks the actor's permissions and records the actor.
package struct JourneyService: Sendable {
    let store: any Store
    let audience: any MembershipSource
    let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID
    private let announce: @Sendable (SendID, WorkspaceID) -> Void

    /// `announce` is called with every send that is changed.
    package init(
        store: any Store,
        audience: any MembershipSource,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID = { UUID() },
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void
    ) {
        self.store = store
        self.audience = audience
        self.now = now
        self.makeID = makeID
        self.announce = announce
    }

    // MARK: Reading

    /// `nil` if the journey does not exist or belongs to another workspace.
    package func journey(_ id: JourneyID, in workspace: WorkspaceID) async throws -> Journey? {
        let journey = try await store.journey(id)
        return journey?.workspace == workspace ? journey : nil
    }

    package func journey(apiID: UUID, in workspace: WorkspaceID) async throws -> Journey? {
        try await store.journey(apiID: apiID, in: workspace)
    }

    package func journeys(
        in workspace: WorkspaceID,
        matching query: JourneyQuery
    ) async throws -> (journeys: [Journey], total: Int) {
        try await store.journeys(in: workspace, matching: query)
    }

    /// The newest first.
    package func versions(of journey: Journey) async throws -> [JourneyVersion] {
        try await store.journeyVersions(of: journey.id)
    }

    /// `nil` if there is no such version.
    package func version(_ number: Int, of journey: Journey) async throws -> JourneyVersion? {
        try await store.journeyVersion(number, of: journey.id)
    }

    // MARK: Writing

    /// Creates a draft, which may be incomplete.
    ///
    /// - Throws: `ValidationError` that names every field at fault, `DraftFinishedError` when the form's
    ///   draft has become a journey before, or `NotAllowedError` to members who are no marketers.
    package func create(
        _ definition: JourneyDefinition,
        by actor: Actor,
        from origin: EditOrigin = .direct
    ) async throws -> Journey {
        try actor.require(.marketer)
        try check(JourneyValidator.draftProblems(of: definition))
        let now = now()
        return try await store.createJourney(
            definition,
            apiID: makeID(),
            in: actor.workspace,
            from: origin,
            noting: { Self.record("journey_saved", "#\($0)", definition.name, at: now, by: actor) },
            now: now
        )
    }

    /// Creates a draft with the steps of a journey under new identities.
    ///
    /// - Throws: As ``create(_:by:from:)``.
    package func duplicate(
        _ journey: Journey,
        name: String,
        note: String? = nil,
        tags: [String]? = nil,
        by actor: Actor
    ) async throws -> Journey {
        try check(journey, actor)
        var definition = journey.draft.withNewIdentities(makeID)
        definition.name = name
        if let note { definition.note = note }
        if let tags { definition.tags = tags }
        return try await create(definition, by: actor)
    }

    /// Replaces the draft; nobody's way changes before it is published.
    ///
    /// - Throws: `ValidationError`, `RefusalError` when the journey is archived, `DraftFinishedError` when the
    ///   form's draft was saved before, `StoreError` with code `changed` when somebody else has saved
    ///   it since the editing began, or `NotAllowedError` to members who are no marketers and for journeys
    ///   of other workspaces.
    package func update(
        _ journey: Journey,
        to definition: JourneyDefinition,
        by actor: Actor,
        from origin: EditOrigin = .direct
    ) async throws {
        try check(journey, actor)
        try check(JourneyValidator.draftProblems(of: definition))
        let now = now()
        let isUpdated = try await store.updateJourney(
            journey.id,
            draft: definition,
            from: origin,
            noting: Self.record(
                "journey_saved",
                "#\(journey.id)",
                definition.name,
                at: now,
                by: actor
            ),
            now: now
        )
        if !isUpdated { throw RefusalError(.journeyArchived) }
    }

    /// Whether an update failed because somebody else had saved the journey meanwhile.
    package static func isOutdated(_ error: any Error) -> Bool {
        (error as? StoreError)?.code == .changed
    }

    /// Every field that keeps a definition from being published, by its step.
    package func problems(
        of definition: JourneyDefinition,
        in workspace: WorkspaceID
    ) async throws -> [FieldProblem] {
        let problems = JourneyValidator.problems(of: definition)
        guard problems.isEmpty else { return problems }
        return try await JourneyReferences(definition, in: workspace, store, audience).problems()
    }

    /// Makes the draft the version that people enter from now on, and starts a journey that is a
    /// draft or stopped.
    ///
    /// - Parameter migration: What becomes of the people who are inside.
    /// - Throws: `ValidationError` that names every field at fault; `RefusalError` when the journey is
    ///   archived or was changed since `journey` was read; `NotAllowedError` to members who are no
    ///   marketers and for journeys of other workspaces.
    package func publish(
        _ journey: Journey,
        migration: JourneyMigration = .keep,
        by actor: Actor
    ) async throws -> Journey {
        try check(journey, actor)
        guard journey.state != .archived else { throw RefusalError(.journeyArchived) }
        try check(try await problems(of: journey.draft, in: journey.workspace))
        let now = now()
        let published = try await store.publishJourney(
            JourneyPublication(
                journey: journey.id,
                draftedAt: journey.updatedAt,
                migration: migration,
                publisher: actor.name
            ),
            noting: Self.record(
                "journey_published",
                "#\(journey.id)",
                "\(journey.draft.name) \((journey.version ?? 0) + 1)",
                at: now,
                by: actor
            ),
            now: now
        )
        guard let published else { throw RefusalError(.journeyMoved) }
        return published
    }

    /// Pauses, resumes, drains, stops or archives a journey.
    ///
    /// - Parameter version: When the journey had last been changed as somebody looked at it; `nil`
    ///   accepts any.
    /// - Throws: `RefusalError` when it is in another state or version; `NotAllowedError` to members who are
    ///   no marketers and for journeys of other workspaces.
    package func take(
        _ action: JourneyAction,
        with journey: Journey,
        by actor: Actor,
        version: Date? = nil
    ) async throws {
        try check(journey, actor)
        let now = now()
        let sends = try await store.transitionJourney(
            journey.id,
            from: action.origins,
            to: action.outcome,
            version: version,
            noting: Self.record(
                action.action,
                "#\(journey.id)",
                journey.draft.name,
                at: now,
                by: actor
            ),
            now: now
        )
        guard let sends else {
            if version != nil { throw RefusalError(.journeyMoved) }
            let names = action.origins.map(\.rawValue).sorted().joined(separator: " or ")
            throw RefusalError(.journeyState, ["states": "\(names)"])
        }
        for send in sends { announce(send, journey.workspace) }
    }

    // MARK: Entering by request

    /// Asks for users to enter a journey whose entry is the API. They enter with the runner's next
    /// round if its rules let them.
    ///
    /// - Throws: `RefusalError` if people enter it by other means or it is not active; `NotAllowedError` for
    ///   journeys of other workspaces.
    package func enter(
        _ users: [ProfileID: MessageProperties],
        into journey: Journey,
        by actor: Actor
    ) async throws {
        try await requireEntryByAPI(into: journey, actor)
        let now = now()
        try await store.requestEntries(
            users,
            into: journey.id,
            noting: Self.record(
                "journey_entered",
                "#\(journey.id)",
                "\(users.count)",
                at: now,
                by: actor
            ),
            now: now
        )
    }

    /// Stores what a request says about users, and asks for them to enter as
    /// ``enter(_:into:by:)``, once for each key.
    ///
    /// - Parameter moment: When they enter; `nil` means at once. Who is named and who matches is
    ///   decided now.
    /// - Returns: The outcomes of the recipients' data, in their order and empty if the request was
    ///   a repetition, the number of users, and what names their time.
    /// - Throws: `RefusalError` as there, and if the key belongs to another request.
    package func enter(
        _ recipients: [LaunchRecipient],
        and members: [ProfileID: MessageProperties] = [:],
        into journey: Journey,
        key: IdempotencyKey?,
        at moment: Date? = nil,
        by actor: Actor
    ) async throws -> (outcomes: [IngestOutcome?], users: Int, schedule: UUID?) {
        try await requireEntryByAPI(into: journey, actor)
        let now = now()
        let schedule = moment.map { JourneySchedule(id: makeID(), at: $0) }
        let outcome = try await store.perform(
            JourneyRequest(
                journey: journey.id,
                recipients: recipients,
                members: members,
                key: key,
                schedule: schedule
            ),
            noting: {
                Self.record(
                    moment == nil ? "journey_entered" : "journey_entry_planned",
                    "#\(journey.id)",
                    "\($0)",
                    at: now,
                    by: actor
                )
            },
            now: now
        )
        switch outcome {
        case .accepted(let outcomes, let users): return (outcomes, users, schedule?.id)
        case .known(let users, let schedule): return ([], users, schedule)
        case .otherRequest: throw RefusalError(.otherRequest)
        case .closed: throw RefusalError(.journeyState, ["states": "active"])
        }
    }

    /// Gives the users of an earlier request another time to enter, or lets none of them in.
    ///
    /// - Parameter moment: `nil` cancels it.
    /// - Throws: `NotAllowedError` for journeys of other workspaces.
    package func moveSchedule(
        _ id: UUID,
        of journey: Journey,
        to moment: Date?,
        by actor: Actor
    ) async throws -> JourneyScheduleOutcome {
        guard actor.workspace == journey.workspace else { throw NotAllowedError() }
        let now = now()
        return try await store.moveSchedule(
            id,
            of: journey.id,
            to: moment,
            noting: Self.record(
                moment == nil ? "journey_entry_cancelled" : "journey_entry_moved",
                "#\(journey.id)",
                journey.draft.name,
                at: now,
                by: actor
            ),
            now: now
        )
    }

    private func requireEntryByAPI(into journey: Journey, _ actor: Actor) async throws {
        guard actor.workspace == journey.workspace else { throw NotAllowedError() }
        guard journey.state == .active, let number = journey.version,
            let version = try await store.journeyVersion(number, of: journey.id)
        else { throw RefusalError(.journeyState, ["states": "active"]) }
        guard version.definition.entry == .api else { throw RefusalError(.journeyNotByAPI) }
    }

    // MARK: Checks

    private func check(_ problems: [FieldProblem]) throws(ValidationError) {
        guard problems.isEmpty else { throw ValidationError(problems) }
    }

    private func check(_ journey: Journey, _ actor: Actor) throws(NotAllowedError) {
        try actor.require(.marketer)
        guard actor.workspace == journey.workspace else { throw NotAllowedError() }
    }

    private static func record(
        _ action: String,
        _ subject: String,
        _ detail: String,
        at now: Date,
        by actor: Actor
    ) -> AuditRecord {
        AuditRecord(at: now, by: actor, action: action, subject: subject, detail: detail)
    }
}
