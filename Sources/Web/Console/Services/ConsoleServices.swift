import Audience
import Foundation
import Model
import WebPages

/// What the console needs from the product. The server adapts its services to this.
package protocol ConsoleServices: AccountPages, OverviewPages, PushPages, DraftPages,
    Sendable
{}

/// Who may use the console.
package protocol AccountPages: Sendable {
    /// A new session, or `nil` when e-mail and password do not match a member.
    ///
    /// - Throws: `SignInRefusal` when nobody has looked at the password.
    func logIn(
        email: String,
        password: String,
        from address: String?
    ) async throws -> ConsoleSession?
    /// The member behind a session; `nil` when the session is unknown or over.
    func member(ofSession token: String) async throws -> ConsoleMember?
    func logOut(session token: String) async throws
}

/// The figures of the first page.
package protocol OverviewPages: Sendable {
    /// The last `days` days up to today in the workspace's time zone.
    func overview(days: Int, for member: ConsoleMember) async throws -> OverviewFigures
}

/// Composing, sending and following pushes.
package protocol PushPages: Sendable {
    func pushHistory(
        _ query: PushHistoryQuery,
        for member: ConsoleMember
    ) async throws -> PushHistory

    func push(number: Int64, for member: ConsoleMember) async throws -> PushDetail?

    /// Every change of a push's figures or state, as it happens.
    func pushChanges(for member: ConsoleMember) async -> AsyncStream<PushSummary>

    /// Draws a draft with the real renderer for a real user, or for nobody in particular.
    func preview(
        _ draft: PushDraft,
        for member: ConsoleMember
    ) async throws -> PushPreview

    /// How many users and devices a draft would reach now.
    func reach(of draft: PushDraft, for member: ConsoleMember) async throws -> AudienceReach

    /// What would come of a draft if it began now, or at its time.
    /// - Throws: ``PushDraftRejected`` when a field cannot be used.
    func outlook(of draft: PushDraft, for member: ConsoleMember) async throws -> SendOutlook

    /// Makes a send of a draft, at once or for its time, and returns its number.
    /// - Throws: ``PushDraftRejected`` when a field cannot be used.
    func send(_ draft: PushDraft, for member: ConsoleMember) async throws -> Int64

    /// Makes the send of the draft with `id`, once: whoever sends it again gets the number of the
    /// first. `nil` when nothing is kept there.
    /// - Throws: ``PushDraftRejected`` when a field cannot be used.
    func send(
        _ draft: PushDraft,
        keptAs id: UUID,
        for member: ConsoleMember
    ) async throws -> Int64?

    /// Takes back a push that waits for that for some seconds, and returns its draft; `nil` when it
    /// is too late.
    func takeBackPush(number: Int64, for member: ConsoleMember) async throws -> UUID?

    /// Pauses, resumes or stops a push; `false` when its state does not allow it.
    func take(
        _ step: SendStep,
        withPush number: Int64,
        for member: ConsoleMember
    ) async throws -> Bool

    /// Gives a reserved push another content and time; `false` when it is too late.
    /// - Throws: ``PushDraftRejected``.
    func updatePush(
        number: Int64,
        to draft: PushDraft,
        keptAs id: UUID?,
        for member: ConsoleMember
    ) async throws -> Bool

    /// The messages of a push to devices, those after a row of an earlier answer.
    func recipients(
        ofPush number: Int64,
        _ query: RecipientQuery,
        for member: ConsoleMember
    ) async throws -> [RecipientRow]

    /// The attributes that a message may use, the most used first.
    func personalAttributes(for member: ConsoleMember) async throws -> [PersonalAttribute]

    /// The names of the app's own events, for conditions.
    func eventNames(for member: ConsoleMember) async throws -> [String]

    /// A few users whose external id or name begins with a text.
    func users(
        matching text: String,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> [UserChoice]
}
