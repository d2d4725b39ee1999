import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons
import Users

/// `/subscription/…`: the users' states in subscription groups.
struct SubscriptionRoutes: Sendable {
    /// Maximum number of users per response.
    private static let pageLimit = 100
    private static let userLists = ["external_id", "email", "phone"]

    let users: UserService
    let subscriptions: SubscriptionGroupService
    let ingestion: IngestionService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        let limit = SharedSchemas.identifierLimit
        let oneOrMore = Schema.either(.text, .list(of: .text, limit: limit))
        let id = SharedSchemas.externalID
        let state = Schema.choice("subscribed", "unsubscribed")
        let user = RESTEndpoint.Parameter.oneOf(
            Self.userLists.map { .init(name: $0, schema: oneOrMore) }
        )
        return [
            .get(
                "/subscription/status/get",
                "subscription.status.get",
                "Says whether users are in a subscription group",
                [.init(name: "subscription_group_id", isRequired: true, schema: .uuid)] + user,
                answers: .success([
                    "status": Schema.map.required.described(
                        "Subscribed, Unsubscribed or Unknown, by the identifier of the request."
                    )
                ])
            ) { try await status($0) },
            .get(
                "/subscription/user/status",
                "subscription.user.status",
                "Lists the subscription groups of users",
                user + [
                    .init(name: "limit", schema: .integer(1...Self.pageLimit)),
                    .init(name: "offset", schema: .count),
                ],
                answers: .success([
                    "total_count": Schema.count.required,
                    "users": Schema.list(of: .map).required,
                ])
            ) { try await groups($0) },
            .post(
                "/subscription/status/set",
                "subscription.status.set",
                "Puts users into a subscription group, or takes them out",
                takes: Schema.object([
                    "subscription_group_id": Schema.uuid.required,
                    "subscription_state": state.required,
                    "external_id": .either(id, .list(of: id, limit: limit)),
                    "email": oneOrMore, "phone": oneOrMore,
                ]).needingOne(of: Self.userLists)
            ) { try await set($0) },
            .post(
                "/v2/subscription/status/set",
                "subscription.status.set",
                "Puts users into several subscription groups, or takes them out",
                takes: .object([
                    "subscription_groups": Schema.list(
                        of: Schema.object([
                            "subscription_group_id": Schema.uuid.required,
                            "subscription_state": state.required,
                            "external_ids": .list(of: id, limit: limit),
                            "emails": .list(of: .text, limit: limit),
                            "phones": .list(of: .text, limit: limit),
                        ]).needingOne(of: Self.userLists.map { "\($0)s" }),
                        limit: limit
                    ).notEmpty.required
                ])
            ) { try await setSeveral($0) },
        ]
    }

    // MARK: Reading

    private func status(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let group = try await group(reader, in: call.workspace)
        var status: [String: JSONValue] = [:]
        for (text, reference) in try references(reader, plural: false) {
            let found = try await users.users(reference, in: call.workspace)
            status[text] = .string(Self.word(found.first?.subscriptionGroups[group.id]))
        }
        return try JSONResponse.json(["message": "success", "status": .object(status)])
    }

    private func groups(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let limit = try reader.wholeNumber("limit", 1...Self.pageLimit) ?? Self.pageLimit
        let offset = try reader.wholeNumber("offset", 0...Int(Int32.max)) ?? 0
        var found: [Profile] = []
        for (_, reference) in try references(reader, plural: false) {
            for user in try await users.users(reference, in: call.workspace)
            where !found.contains(where: { $0.id == user.id }) {
                found.append(user)
            }
        }
        let groups = try await subscriptions.groups(in: call.workspace)
        let shown = found.dropFirst(offset).prefix(limit).map { user -> JSONValue in
            let states = user.subscriptionGroups
            return [
                "external_id": user.externalID.map(JSONValue.string) ?? .null,
                "email": user.standard[.email] ?? .null,
                "phone": user.standard[.phone] ?? .null,
                "subscription_groups": .array(
                    groups.map { group in
                        [
                            "id": .string(group.id.uuidString.lowercased()),
                            "channel": .string(group.channel.rawValue),
                            "name": .string(group.name),
                            "status": .string(Self.word(states[group.id])),
                        ]
                    }
                ),
            ]
        }
        return try JSONResponse.json([
            "message": "success", "total_count": .integer(Int64(found.count)),
            "users": .array(Array(shown)),
        ])
    }

    private static func word(_ state: SubscriptionState?) -> String {
        switch state {
        case .subscribed?, .optedIn?: "Subscribed"
        case .unsubscribed?: "Unsubscribed"
        case nil: "Unknown"
        }
    }

    // MARK: Writing

    private func set(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let items = try await items(reader, plural: false, in: call.workspace)
        return try await store(items, call)
    }

    private func setSeveral(_ call: RESTEndpoint.Call) async throws -> Response {
        let groups = try call.reader().objects(
            "subscription_groups",
            limit: SharedSchemas.identifierLimit
        )
        guard !groups.isEmpty else {
            throw FieldProblem("subscription_groups", .needsElement)
        }
        var items: [IngestItem] = []
        for reader in groups {
            items += try await self.items(reader, plural: true, in: call.workspace)
        }
        return try await store(items, call)
    }

    private func items(
        _ reader: RequestReader,
        plural: Bool,
        in workspace: WorkspaceID
    ) async throws -> [IngestItem] {
        let group = try await group(reader, in: workspace)
        let state = try reader.requiredString("subscription_state")
        guard ["subscribed", "unsubscribed"].contains(state) else {
            throw reader.problem("subscription_state", .groupState)
        }
        let change = AttributeChanges([
            StandardAttribute.subscriptionGroups.rawValue: [
                [
                    "subscription_group_id": .string(group.id.uuidString.lowercased()),
                    "subscription_state": .string(state),
                ]
            ]
        ])
        var items: [IngestItem] = []
        for (_, reference) in try references(reader, plural: plural) {
            // An address may belong to several users; all of them are changed.
            for user in try await users.users(reference, in: workspace) {
                items.append(
                    IngestItem(
                        recordID: nil,
                        user: .profile(user.publicID),
                        updatesExistingOnly: true,
                        time: now(),
                        content: .attributes(change)
                    )
                )
            }
        }
        return items
    }

    private func store(_ items: [IngestItem], _ call: RESTEndpoint.Call) async throws -> Response {
        _ = try await submit(
            IngestRequest(workspace: call.workspace, source: .api, items: items),
            to: ingestion
        )
        return try JSONResponse.json(["message": "success"], status: .created)
    }

    // MARK: Fields

    private func group(
        _ reader: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> SubscriptionGroup {
        let text = try reader.requiredString("subscription_group_id")
        let groups = try await subscriptions.groups(in: workspace)
        guard let id = UUID(uuidString: text), let group = groups.first(where: { $0.id == id })
        else {
            throw reader.problem("subscription_group_id", .noListedGroup)
        }
        return group
    }

    /// The users of the request, each with the text that identifies it.
    private func references(
        _ reader: RequestReader,
        plural: Bool
    ) throws(FieldProblem) -> [(text: String, user: UserReference)] {
        var found: [(text: String, user: UserReference)] = []
        for list in Self.userLists {
            let field = plural ? "\(list)s" : list
            let limit = SharedSchemas.identifierLimit
            let texts =
                list == "external_id"
                ? try reader.oneOrMoreExternalIDs(field, limit: limit)
                : try reader.oneOrMore(field, limit: limit)
            for text in texts {
                switch list {
                case "external_id": found.append((text, .external(text)))
                case "email": found.append((text, .email(text)))
                default: found.append((text, .phone(text)))
                }
            }
        }
        guard !found.isEmpty else {
            let names = Self.userLists.map { plural ? "\($0)s" : $0 }
            throw reader.problem(
                names[0],
                .nameUsers,
                ["known": .text(names.joined(separator: ", "))]
            )
        }
        return found
    }
}
