import Audience
import Campaigns
import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons
import Users

/// Reads the message and the audience in `/messages/send` and `/messages/schedule/create`.
struct SendRequestReader {
    /// Maximum number of users that one request may name.
    static let recipientLimit = 50

    let campaigns: CampaignService
    let segments: SegmentService
    let users: UserService
    let audience: SegmentationService
    let now: Date

    /// The send that a request asks for, and the campaign to which it counts.
    struct Request {
        var content: SendContent
        var campaign: Campaign?
        /// The index of the campaign's variant.
        var variant = 0
        var trackingID: String?
        var overridesCaps: Bool
        /// Remarks in the response on ignored fields.
        var remarks: [JSONValue]
    }

    func request(_ call: RESTEndpoint.Call) async throws -> Request {
        let reader = try call.reader()
        let messages = try MessagesReader(reader.value("messages"), now: now)
        var content = SendContent(
            message: PushMessage(body: ""),
            audience: try await recipients(reader, call.workspace),
            triggerProperties: try reader.object("trigger_properties"),
            author: call.key.name
        )
        messages.write(to: &content)
        content.recipients = try Self.recipientState(reader)
        content.withholdsFromControlGroup = try reader.flag("respect_control_group")
        var request = Request(
            content: content,
            overridesCaps: try reader.flag("override_frequency_capping") ?? false,
            remarks: messages.remarks
        )
        request.trackingID = try CampaignReader.trackingID(reader)
        if reader.value("campaign_id") != nil {
            let campaign = try await CampaignReader(campaigns: campaigns).campaign(
                reader,
                in: call.workspace
            )
            request.variant = try Self.variant(messages.variation, of: campaign)
            request.campaign = campaign
        } else if request.trackingID != nil {
            throw reader.problem("send_id", .needsCampaignID)
        }
        return request
    }

    private static func variant(
        _ name: String?,
        of campaign: Campaign
    ) throws(FieldProblem) -> Int {
        guard let name else {
            throw FieldProblem("messages", .variantUnspecified)
        }
        let id = UUID(uuidString: name)
        guard let index = campaign.content.variants.firstIndex(where: { $0.apiID == id }) else {
            throw FieldProblem("messages", .noVariant, ["name": .text(name)])
        }
        return index
    }

    /// `nil` for the default: all users who have not unsubscribed.
    static func recipientState(
        _ reader: RequestReader
    ) throws(FieldProblem) -> SubscriptionFilter? {
        guard let text = try reader.string("recipient_subscription_state") else { return nil }
        guard let state = SubscriptionFilter(rawValue: text) else {
            throw reader.problem("recipient_subscription_state", .recipientState)
        }
        return state == .subscribed ? nil : state
    }

    private func recipients(
        _ reader: RequestReader,
        _ workspace: WorkspaceID
    ) async throws -> Audience {
        var references: [UserReference] = []
        for id in try reader.externalIDs("external_user_ids", limit: Self.recipientLimit) {
            references.append(.external(id))
        }
        for value in try reader.list("user_aliases", limit: Self.recipientLimit) {
            references.append(try UserIdentifier.alias(value))
        }
        let isBroadcast = try reader.flag("broadcast") ?? false
        let query = try await AudienceRequestReader(segments: segments, audience: audience)
            .query(reader, in: workspace)
        if references.isEmpty {
            guard isBroadcast else {
                throw FieldProblem("external_user_ids", .noUsersNamed)
            }
            return query.map(Audience.matching) ?? .everyone
        }
        guard !isBroadcast else {
            throw FieldProblem("broadcast", .broadcastToUsers)
        }
        guard references.count <= Self.recipientLimit else {
            throw FieldProblem("external_user_ids", .mostUsers, ["count": "\(Self.recipientLimit)"])
        }
        var found: [ProfileID] = []
        for reference in references {
            // An unknown user is not an error: the others get their push, as with Braze.
            if let profile = try await users.user(reference, in: workspace) {
                found.append(profile.id)
            }
        }
        guard let query else { return .profiles(found) }
        return .profiles(try await audience.members(of: found, matching: query, in: workspace))
    }
}
