import Audience
import Campaigns
import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons
import Users

/// Reads the body of `/campaigns/trigger/send` and `/campaigns/trigger/schedule/create`. It stores
/// nothing.
struct CampaignTriggerReader {
    /// Maximum number of recipients per request.
    static let recipientLimit = 50

    let segments: SegmentService
    let users: UserService
    let audience: SegmentationService
    let now: @Sendable () -> Date

    func trigger(
        _ call: RESTEndpoint.Call,
        of campaign: Campaign
    ) async throws -> CampaignTriggerRequest {
        let reader = try call.reader()
        var trigger = CampaignTriggerRequest(audience: campaign.content.audience)
        trigger.properties = try reader.object("trigger_properties")
        trigger.key = try IdempotencyKeyReader(call: call).name()
        trigger.overridesCaps = try reader.flag("override_frequency_capping") ?? false
        trigger.reachesControlGroup = try reader.flag("respect_control_group").map { !$0 }
        trigger.recipients = try SendRequestReader.recipientState(reader)
        trigger.trackingID = try CampaignReader.trackingID(reader)
        let query = try await AudienceRequestReader(
            segments: segments,
            audience: audience
        ).query(
            reader,
            in: call.workspace
        )
        let recipients = try reader.objects("recipients", limit: Self.recipientLimit)
        let isBroadcast = try reader.flag("broadcast") ?? false
        if let query, campaign.content.audience.narrowed(to: query) == nil {
            throw reader.problem("audience", .noNarrowing)
        }
        guard !recipients.isEmpty else {
            guard isBroadcast else {
                throw reader.problem("recipients", .noRecipients)
            }
            if let query, let narrowed = campaign.content.audience.narrowed(to: query) {
                trigger.audience = narrowed
            }
            return trigger
        }
        guard !isBroadcast else {
            throw reader.problem("broadcast", .broadcastToRecipients)
        }
        trigger.filter = query
        let nodes = call.document?.root["recipients"].map { Array($0.elements) } ?? []
        var found: [Recipient] = []
        for (reader, node) in zip(recipients, nodes) {
            found.append(try recipient(reader, node["attributes"]))
        }
        var named: [LaunchRecipient] = []
        for (index, recipient) in found.enumerated() {
            guard var user = try await launch(recipient, call.workspace) else { continue }
            user.index = index
            named.append(user)
        }
        trigger.named = named
        return trigger
    }

    private struct Recipient {
        var user: UserReference
        var prioritization: UserPrioritization
        var attributes: AttributeElement?
        var mayBeNew: Bool
        var properties: [String: JSONValue]
    }

    private func recipient(
        _ reader: RequestReader,
        _ element: JSONNode?
    ) throws(FieldProblem) -> Recipient {
        let names = ["external_user_id", "user_alias", "braze_id", "email"]
        let user: UserReference
        if let id = try reader.externalID("external_user_id") {
            user = .external(id)
        } else if let alias = reader.value("user_alias") {
            user = try UserIdentifier.alias(alias)
        } else if let id = try reader.string("braze_id") {
            user = try UserSelection.publicID(id, "braze_id")
        } else if let address = try reader.string("email") {
            user = .email(address)
        } else {
            throw reader.problem(
                "external_user_id",
                .nameTheUser,
                ["known": .text(names.joined(separator: ", "))]
            )
        }
        var attributes: AttributeElement?
        if let element, !element.isNull {
            guard element.kind == .object else {
                throw reader.problem("attributes", .mustBeObject)
            }
            do throws(FieldProblem) {
                attributes = try AttributeElement(element)
            } catch {
                throw reader.problem("attributes.\(error.field)", error.reason)
            }
            guard attributes?.isTokenImport != true else {
                throw reader.problem("attributes.push_token_import", .anonymousTokens)
            }
        }
        let existingOnly = try reader.flag("send_to_existing_only") ?? true
        if !existingOnly {
            if case .alias = user {
                throw reader.problem("send_to_existing_only", .existingOnly)
            }
            guard attributes != nil else {
                throw reader.problem("attributes", .attributesRequired)
            }
        }
        return Recipient(
            user: user,
            prioritization: try UserPrioritization(reader),
            attributes: attributes,
            mayBeNew: !existingOnly && attributes?.updatesExistingOnly != true,
            properties: try reader.object("trigger_properties")
        )
    }

    /// Resolves a recipient to one user; `nil` if there is none. An unknown user is not an error:
    /// the others get their message.
    private func launch(
        _ recipient: Recipient,
        _ workspace: WorkspaceID
    ) async throws -> LaunchRecipient? {
        let found = try await users.users(recipient.user, in: workspace)
        let user = found.count == 1 ? found.first : recipient.prioritization.choose(from: found)
        guard user != nil || found.isEmpty && recipient.mayBeNew else { return nil }
        let reference = user.map { .profile($0.publicID) } ?? recipient.user
        var item: IngestItem?
        if let attributes = recipient.attributes, user == nil || !attributes.isEmpty {
            item = attributes.item(
                of: reference,
                updatesExistingOnly: !recipient.mayBeNew,
                now: now()
            )
        }
        return LaunchRecipient(
            user: reference,
            item: item,
            properties: MessageProperties(trigger: recipient.properties)
        )
    }
}
