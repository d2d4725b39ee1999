import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons
import Users

/// Reads the `recipients` of a request: the users whom it names, with what it says about each of
/// them. It stores nothing.
struct RecipientsReader {
    /// Maximum number of recipients per request.
    static let limit = 50

    let users: UserService
    let now: @Sendable () -> Date
    /// The field with what is for one recipient only.
    let properties: String

    private static let names = ["external_user_id", "user_alias", "braze_id", "email"]

    static func schema(properties: String) -> Schema {
        let recipient = Schema.object([
            "external_user_id": SharedSchemas.externalID, "user_alias": "UserAlias",
            "braze_id": .uuid, "email": .text,
            "prioritization": "Prioritization", properties: Schema.map.orNull,
            "send_to_existing_only": Schema.bool.orNull.described(
                "True without it; false may make a user, and then needs attributes."
            ),
            "attributes": Schema.map.orNull.described(
                "Stored before the message is rendered, as in /users/track: user_alias gives the "
                    + "user another name, _merge_objects merges objects, and neither is kept."
            ),
        ]).needingOne(of: names)
        return .list(of: recipient, limit: limit)
    }

    /// The recipients of a request; those who are unknown and may not be new are left out.
    func recipients(_ call: RESTEndpoint.Call) async throws -> [LaunchRecipient] {
        let readers = try call.reader().objects("recipients", limit: Self.limit)
        let nodes = call.document?.root["recipients"].map { Array($0.elements) } ?? []
        var found: [Recipient] = []
        for (reader, node) in zip(readers, nodes) {
            found.append(try recipient(reader, node["attributes"]))
        }
        var named: [LaunchRecipient] = []
        for (index, recipient) in found.enumerated() {
            guard var user = try await launch(recipient, call.workspace) else { continue }
            user.index = index
            named.append(user)
        }
        return named
    }

    /// The recipients' attributes that could not be stored; the message is sent anyway.
    static func errors(
        _ recipients: [LaunchRecipient],
        _ outcomes: [IngestOutcome?]
    ) -> [JSONValue] {
        zip(recipients, outcomes).flatMap { recipient, outcome -> [JSONValue] in
            let problems: [FieldProblem] =
                switch outcome {
                case .stored(let problems): problems
                case .rejected(let problem): [problem]
                case .duplicate, nil: []
                }
            return problems.map { problem in
                let field = "attributes.\(problem.field)"
                return [
                    "type": .string("'\(field)' \(problem.message)"),
                    "input_array": "recipients", "index": .integer(Int64(recipient.index)),
                    "field": .string(field), "message": .string(problem.message),
                ]
            }
        }
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
                ["known": .text(Self.names.joined(separator: ", "))]
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
            properties: try reader.object(self.properties)
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
