import ArgumentParser
import Audience
import Delivery
import Foundation
import Logging
import Model
import Ports
import Server
import StoreSQLite

/// Why a user got a send, or did not.
struct ExplainSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Why a user got a send, or did not, from the rows."
    )

    @OptionGroup var options: SettingsOptions
    @Argument(help: "The number of the send.") var number: Int64
    @Argument(help: "The user's external id, e-mail address or braze_id.") var user: String

    /// How long the audience may take to be read where a segment is asked for.
    private static let audiencePatience: Duration = .seconds(60)

    func run() async throws {
        let store = try await SendsCommand.store(options)
        let send = try await SendsCommand.send(number, in: store)
        let reference = try await reference(in: send.workspace, store)
        let explanation: DeliveryExplanation?
        if case .matching = send.content.audience {
            explanation = try await explainSegment(send, reference, store)
        } else {
            explanation = try await DeliveryExplainer(store: store, audience: nil)
                .explain(send.id, to: reference, in: send.workspace)
        }
        guard let explanation else { throw ValidationError("there is no user '\(user)'") }
        for line in ExplanationText(explanation).lines { print(line) }
    }

    private func reference(
        in workspace: WorkspaceID,
        _ store: SQLiteStore
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

    /// Reads the audience into memory first, as the server does at its start.
    private func explainSegment(
        _ send: Send,
        _ reference: UserReference,
        _ store: SQLiteStore
    ) async throws -> DeliveryExplanation? {
        let audience = AudienceService(
            store: store,
            now: World.live.now,
            logger: .command(.error)
        )
        let running = Task { try await audience.run() }
        defer { running.cancel() }
        let end = ContinuousClock.now + Self.audiencePatience
        while !audience.status.isReady, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        return try await DeliveryExplainer(store: store, audience: audience)
            .explain(send.id, to: reference, in: send.workspace)
    }
}
