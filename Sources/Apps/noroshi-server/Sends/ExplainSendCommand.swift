import ArgumentParser
import Audience
import Delivery
import Foundation
import Logging
import Model
import Server
import StoreSQL

/// Explains why a user got a send or a campaign, or did not.
struct ExplainSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Why a user got a send or a campaign, or did not, from the rows.",
        discussion: """
            'sends why 12 ada' explains one send; 'sends why --campaign 3 ada' all launches of a \
            campaign that concerned the user, the newest first. A user is named by external id, \
            e-mail address or braze_id.
            """
    )

    @OptionGroup var options: SettingsOptions
    @Option(help: "The number of a campaign, instead of a send.")
    var campaign: Int64?
    @Argument(help: "The send's number, unless --campaign is given, and the user.")
    var words: [String]

    func validate() throws {
        guard words.count == (campaign == nil ? 2 : 1) else {
            throw ValidationError(
                campaign == nil
                    ? "name a send and a user: sends why 12 ada"
                    : "name a user: sends why --campaign 3 ada"
            )
        }
        guard campaign != nil || Int64(words[0]) != nil else {
            throw ValidationError("'\(words[0])' is not the number of a send")
        }
    }

    func run() async throws {
        let store = try await options.settings().openExistingStore()
        let user = words[words.count - 1]
        let lines: [String]?
        if let campaign {
            lines = try await story(CampaignID(campaign), user, store)
        } else {
            lines = try await explanation(Int64(words[0]) ?? 0, user, store)
        }
        guard let lines else { throw ValidationError("there is no user '\(user)'") }
        for line in lines { print(line) }
    }

    private func explanation(
        _ number: Int64,
        _ user: String,
        _ store: SQLStore
    ) async throws -> [String]? {
        let send = try await SendsCommand.send(number, in: store)
        let reference = try await CommandUser.reference(user, in: send.workspace, store)
        let audiences = [send.content.audience, send.content.launch?.content.audience]
        return try await withExplainer(of: audiences, store) { explainer in
            try await explainer.explain(send: send.id, to: reference, in: send.workspace)
                .map { ExplanationText($0).lines }
        }
    }

    private func story(
        _ id: CampaignID,
        _ user: String,
        _ store: SQLStore
    ) async throws -> [String]? {
        guard let campaign = try await store.campaign(id) else {
            throw ValidationError("there is no campaign \(id)")
        }
        let reference = try await CommandUser.reference(user, in: campaign.workspace, store)
        return try await withExplainer(of: [campaign.content.audience], store) { explainer in
            try await explainer.explain(
                campaign: id,
                to: reference,
                in: campaign.workspace
            ).map(ExplanationText.lines(of:))
        }
    }

    /// Reads the audience into memory first if a segment must be evaluated.
    private func withExplainer<Value>(
        of audiences: [Audience?],
        _ store: SQLStore,
        _ body: (DeliveryExplainer) async throws -> Value
    ) async throws -> Value {
        let isMatched = audiences.contains { audience in
            if case .matching? = audience { true } else { false }
        }
        guard isMatched else {
            return try await body(
                DeliveryExplainer(store: store, audience: nil, now: ServerDependencies.live.now)
            )
        }
        return try await CommandAudience.with(store) { audience in
            try await body(
                DeliveryExplainer(
                    store: store,
                    audience: audience,
                    now: ServerDependencies.live.now
                )
            )
        }
    }
}
