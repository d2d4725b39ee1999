import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports

/// `POST /messages/send`: a push to named users or to everyone, at once.
package struct MessageRoutes: Sendable {
    /// The most users that one request may name.
    package static let recipientLimit = 50

    private let authorizer: APIAuthorizer
    private let composer: PushComposer
    private let profiles: any ProfileStore

    package init(
        authorizer: APIAuthorizer,
        composer: PushComposer,
        profiles: any ProfileStore
    ) {
        self.authorizer = authorizer
        self.composer = composer
        self.profiles = profiles
    }

    package func add(to router: Router<some RequestContext>) {
        router.post("/messages/send") { request, _ in try await send(request) }
    }

    @Sendable private func send(_ request: Request) async throws -> Response {
        let key = try await authorizer.key(of: request, permission: "messages.send")
        let body = try await APIRequestBody.json(request)
        do {
            var content = try await content(body, key.workspace)
            content.author = key.name
            let send = try await composer.send(content, in: key.workspace)
            return try APIAnswer.json(
                JSONValue.object([
                    "message": "success", "dispatch_id": .string("\(send.id)"),
                    "push_no": .integer(send.id.rawValue),
                ]),
                status: .created
            )
        } catch let problem as FieldProblem {
            throw APIProblem.field(problem.field, problem.message)
        } catch let problems as PushProblems {
            throw APIProblem(
                .badRequest,
                problems.problems.map { "'\($0.field)' \($0.message)" }.joined(separator: "; "),
                errors: problems.problems.map {
                    ["field": .string($0.field), "message": .string($0.message)]
                }
            )
        }
    }

    private func content(_ body: JSONValue, _ workspace: WorkspaceID) async throws -> SendContent {
        guard let object = body.objectValue else {
            throw FieldProblem("body", "send a JSON object")
        }
        for field in ["segment_id", "audience", "campaign_id", "send_id"]
        where object[field].map({ $0 != .null }) == true {
            throw FieldProblem(field, "is not supported by this version")
        }
        guard let messages = object["messages"]?.objectValue, !messages.isEmpty else {
            throw FieldProblem("messages", "No message to send: give an object with apple_push")
        }
        if let other = messages.keys.sorted().first(where: { $0 != "apple_push" }) {
            throw FieldProblem("messages.\(other)", "is not supported by this version")
        }
        let reader = try ApplePushReader(messages["apple_push"] ?? .null)
        var properties: [String: JSONValue] = [:]
        if let value = object["trigger_properties"], value != .null {
            guard let given = value.objectValue else {
                throw FieldProblem("trigger_properties", "must be an object")
            }
            properties = given
        }
        return SendContent(
            message: try reader.message(),
            audience: try await audience(object, workspace),
            options: try reader.options(),
            triggerProperties: properties
        )
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
        if references.isEmpty {
            guard isBroadcast else {
                throw FieldProblem(
                    "external_user_ids",
                    "No Recipients: name users, or set broadcast to true"
                )
            }
            return .everyone
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
            if let profile = try await profiles.profile(reference.user, in: workspace) {
                found.append(profile.id)
            }
        }
        return .profiles(found)
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
