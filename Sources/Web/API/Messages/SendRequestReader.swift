import Audience
import Campaigns
import Foundation
import Ingestion
import Model
import NoroshiWire
import Ports

/// Reads what `/messages/send` and `/messages/schedule/…` say of a message and its audience.
struct SendRequestReader {
    /// The most users that one request may name.
    static let recipientLimit = 50

    let store: any ProfileStore & SegmentStore
    let audience: AudienceService

    func content(
        _ call: RESTEndpoint.Call
    ) async throws -> SendContent {
        guard let object = call.body.objectValue else {
            throw FieldProblem("body", "send a JSON object")
        }
        for field in ["campaign_id", "send_id"]
        where object[field].map({ $0 != .null }) == true {
            throw FieldProblem(field, "is not supported by this version")
        }
        let (message, options) = try Self.message(object)
        var properties: [String: JSONValue] = [:]
        if let value = object["trigger_properties"], value != .null {
            guard let given = value.objectValue else {
                throw FieldProblem("trigger_properties", "must be an object")
            }
            properties = given
        }
        return SendContent(
            message: message,
            audience: try await audience(object, call.workspace),
            options: options,
            triggerProperties: properties,
            author: call.key.name
        )
    }

    static func message(
        _ object: [String: JSONValue]
    ) throws(FieldProblem) -> (PushMessage, DeliveryOptions) {
        guard let messages = object["messages"]?.objectValue, !messages.isEmpty else {
            throw FieldProblem("messages", "No message to send: give an object with apple_push")
        }
        if let other = messages.keys.sorted().first(where: { $0 != "apple_push" }) {
            throw FieldProblem("messages.\(other)", "is not supported by this version")
        }
        let reader = try ApplePushReader(messages["apple_push"] ?? .null)
        return (try reader.message(), try reader.options())
    }

    private func audience(
        _ object: [String: JSONValue],
        _ workspace: WorkspaceID
    ) async throws -> Audience {
        var references: [(field: String, user: UserReference)] = []
        for (index, value) in try list("external_user_ids", object).enumerated() {
            guard let id = value.stringValue else {
                throw FieldProblem("external_user_ids.\(index)", "must be a string")
            }
            references.append(("external_user_ids.\(index)", .external(id)))
        }
        for (index, value) in try list("user_aliases", object).enumerated() {
            references.append(("user_aliases.\(index)", try UserIdentifier.alias(value)))
        }
        let isBroadcast = object["broadcast"]?.boolValue ?? false
        let query = try await query(object, workspace)
        if references.isEmpty {
            guard isBroadcast else {
                throw FieldProblem(
                    "external_user_ids",
                    "No Recipients: name users, or set broadcast to true"
                )
            }
            return query.map(Audience.matching) ?? .everyone
        }
        guard !isBroadcast else {
            throw FieldProblem("broadcast", "must be false when users are named")
        }
        guard references.count <= Self.recipientLimit else {
            throw FieldProblem(
                "external_user_ids",
                "The max number of external_ids and aliases per request was exceeded: at most "
                    + "\(Self.recipientLimit)"
            )
        }
        var found: [ProfileID] = []
        for reference in references {
            // An unknown user is no error: the others get their push, as with Braze.
            if let profile = try await store.profile(reference.user, in: workspace) {
                found.append(profile.id)
            }
        }
        guard let query else { return .profiles(found) }
        return .profiles(try await audience.members(of: found, matching: query, in: workspace))
    }

    /// The segment and the filter that a request names; both have to hold.
    private func query(
        _ object: [String: JSONValue],
        _ workspace: WorkspaceID
    ) async throws -> SegmentQuery? {
        var query = SegmentQuery()
        if let value = object["segment_id"], value != .null {
            guard let id = value.stringValue else {
                throw FieldProblem("segment_id", "must be a string")
            }
            query.segments = [try await SegmentReference(store: store).segment(id, workspace).id]
        }
        if let value = object["audience"], value != .null {
            query.filter = try ConnectedAudienceReader.filter(audience: value, field: "audience")
        }
        guard query != SegmentQuery() else { return nil }
        // Says now what is wrong with it, not when the send begins.
        do {
            _ = try await audience.rule(of: query, in: workspace)
        } catch let problem as AudienceProblem where problem.code == .invalidFilter {
            throw FieldProblem("audience", problem.message)
        }
        return query
    }

    private func list(
        _ field: String,
        _ object: [String: JSONValue]
    ) throws(FieldProblem) -> [JSONValue] {
        guard let value = object[field], value != .null else { return [] }
        guard let list = value.arrayValue else { throw FieldProblem(field, "must be an array") }
        return list
    }
}
