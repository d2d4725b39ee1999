import Audience
import Campaigns
import Foundation
import Ingestion
import Model
import NoroshiWire
import Ports

/// Reads the body of `/campaigns/trigger/send` and `/campaigns/trigger/schedule/create`, and stores
/// the attributes that recipients bring along.
struct CampaignTriggerReader {
    /// The most recipients of one request.
    static let recipientLimit = 50

    let store: any Store
    let ingestion: IngestionService
    let audience: AudienceService
    let now: @Sendable () -> Date

    func trigger(
        _ call: RESTEndpoint.Call,
        of campaign: Campaign
    ) async throws -> CampaignTrigger {
        let reader = try call.reader()
        var trigger = CampaignTrigger(audience: campaign.content.audience, author: call.key.name)
        trigger.properties = try reader.object("trigger_properties")
        trigger.key = try RequestKeyReader(call: call).name()
        trigger.overridesCaps = try reader.flag("override_frequency_capping") ?? false
        trigger.recipients = try SendRequestReader.recipientState(reader)
        trigger.trackingID = try CampaignReader.trackingID(reader)
        let query = try await AudienceRequestReader(
            segments: store,
            audience: audience
        ).query(
            reader,
            in: call.workspace
        )
        let recipients = try reader.objects("recipients", limit: Self.recipientLimit)
        let isBroadcast = try reader.flag("broadcast") ?? false
        guard !recipients.isEmpty else {
            guard isBroadcast else {
                throw reader.problem(
                    "recipients",
                    "No Recipients: name recipients, or set broadcast to true"
                )
            }
            if let query {
                guard let narrowed = campaign.content.audience.narrowed(to: query) else {
                    throw reader.problem("audience", "cannot narrow a campaign to named users")
                }
                trigger.audience = narrowed
            }
            return trigger
        }
        guard !isBroadcast else {
            throw reader.problem("broadcast", "must be false when recipients are named")
        }
        guard query == nil else {
            throw reader.problem("audience", "is for broadcasts; leave it out or name nobody")
        }
        try await read(recipients, into: &trigger, call.workspace)
        return trigger
    }

    private struct Recipient {
        var user: UserReference
        var prioritization: UserPrioritization
        var attributes: [String: JSONValue]
        var mayBeNew: Bool
        var properties: [String: JSONValue]
    }

    private func read(
        _ readers: [RequestReader],
        into trigger: inout CampaignTrigger,
        _ workspace: WorkspaceID
    ) async throws {
        var recipients: [Recipient] = []
        for reader in readers { recipients.append(try recipient(reader)) }
        try await storeAttributes(of: recipients, workspace)
        var found: [ProfileID] = []
        for recipient in recipients {
            let users = try await store.users(recipient.user, in: workspace)
            // An unknown user is no error: the others get their message.
            let user =
                users.count == 1 ? users.first : recipient.prioritization.choose(from: users)
            guard let user else { continue }
            found.append(user.id)
            trigger.users[user.id] = recipient.properties
        }
        trigger.audience = .profiles(Array(Set(found)).sorted())
    }

    private func recipient(_ reader: RequestReader) throws(FieldProblem) -> Recipient {
        let user: UserReference
        if let id = try reader.string("external_user_id") {
            user = .external(id)
        } else if let alias = reader.value("user_alias") {
            user = try UserIdentifier.alias(alias)
        } else if let address = try reader.string("email") {
            user = .email(address)
        } else {
            throw reader.problem(
                "external_user_id",
                "name the user by external_user_id, user_alias or email"
            )
        }
        let attributes = try reader.object("attributes")
        let existingOnly = try reader.flag("send_to_existing_only") ?? true
        if !existingOnly {
            if case .alias = user {
                throw reader.problem("send_to_existing_only", "must be true with a user_alias")
            }
            guard reader.value("attributes") != nil else {
                throw reader.problem("attributes", "is required for users who may be new")
            }
        }
        return Recipient(
            user: user,
            prioritization: try UserPrioritization(reader),
            attributes: attributes,
            mayBeNew: !existingOnly,
            properties: try reader.object("trigger_properties")
        )
    }

    /// Stored before the message is rendered, so that it can read them.
    private func storeAttributes(
        of recipients: [Recipient],
        _ workspace: WorkspaceID
    ) async throws {
        let items = recipients.filter { !$0.attributes.isEmpty || $0.mayBeNew }.map { recipient in
            IngestItem(
                recordID: nil,
                user: recipient.user,
                updatesExistingOnly: !recipient.mayBeNew,
                time: now(),
                content: .attributes(AttributeChanges(recipient.attributes))
            )
        }
        guard !items.isEmpty else { return }
        _ = try await submit(
            IngestRequest(workspace: workspace, source: .api, items: items),
            to: ingestion
        )
    }
}
