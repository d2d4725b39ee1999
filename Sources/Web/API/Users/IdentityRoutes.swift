import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons
import Users

/// Aliases, identifying, merging and renaming of users.
struct IdentityRoutes: Sendable {
    /// Maximum number of changes per request.
    static let limit = SharedSchemas.identifierLimit

    let users: UserService

    var endpoints: [RESTEndpoint] { aliases + identities + externalIDs }

    private var aliases: [RESTEndpoint] {
        [
            .post(
                "/users/alias/new",
                "users.alias.new",
                "Gives users another name",
                takes: Self.request([
                    "user_aliases": .object([
                        "external_id": SharedSchemas.externalID.orNull,
                        "alias_name": Self.alias, "alias_label": Self.alias,
                    ])
                ]).example([
                    "user_aliases": [
                        ["external_id": "ada", "alias_name": "A-1", "alias_label": "crm"]
                    ]
                ]),
                answers: Self.answer("aliases")
            ) { try await addAliases($0) },
            .post(
                "/users/alias/update",
                "users.alias.update",
                "Renames aliases",
                takes: Self.request([
                    "alias_updates": .object([
                        "alias_label": Self.alias, "old_alias_name": Self.alias,
                        "new_alias_name": Self.alias,
                    ])
                ]),
                answers: Self.answer("aliases")
            ) { try await renameAliases($0) },
        ]
    }

    private var identities: [RESTEndpoint] {
        let externalID = SharedSchemas.externalID.required
        return [
            .post(
                "/users/identify",
                "users.identify",
                "Gives nameless users an external id",
                takes: .object([
                    "aliases_to_identify": Self.list(
                        .object([
                            "external_id": externalID, "user_alias": Schema("UserAlias").required,
                        ])
                    ),
                    "emails_to_identify": Self.list(
                        .object([
                            "external_id": externalID, "email": .text.required,
                            "prioritization": "Prioritization",
                        ])
                    ),
                    "phone_numbers_to_identify": Self.list(
                        .object([
                            "external_id": externalID, "phone": .text.required,
                            "prioritization": "Prioritization",
                        ])
                    ),
                ]),
                answers: Self.answer("aliases", "emails", "phone_numbers")
            ) { try await identify($0) },
            .post(
                "/users/merge",
                "users.merge",
                "Merges one user into another",
                success: .accepted,
                takes: Self.request([
                    "merge_updates": .object(
                        [
                            "identifier_to_merge": Schema("User").required,
                            "identifier_to_keep": Schema("User").required,
                        ],
                        isClosed: true
                    )
                ]),
                answers: Self.answer("merges")
            ) { try await merge($0) },
        ]
    }

    private var externalIDs: [RESTEndpoint] {
        let externalID = SharedSchemas.externalID.required
        return [
            .post(
                "/users/external_ids/rename",
                "users.external_ids.rename",
                "Renames external ids; the old ones still find their users",
                takes: Self.request([
                    "external_id_renames": .object([
                        "current_external_id": externalID, "new_external_id": externalID,
                    ])
                ]),
                answers: .success([
                    "external_ids": Schema.list(of: .text).required,
                    "rename_errors": Schema.list(of: "ItemProblem").required,
                ])
            ) { try await renameExternalIDs($0) },
            .post(
                "/users/external_ids/remove",
                "users.external_ids.remove",
                "Forgets external ids that were renamed before",
                takes: Self.request(["external_ids": SharedSchemas.externalID]),
                answers: .success([
                    "external_ids": Schema.list(of: .text).required,
                    "removal_errors": Schema.list(of: "ItemProblem").required,
                ])
            ) { try await removeExternalIDs($0) },
        ]
    }

    private static let alias = Schema.text(1...255).required

    private static func list(_ element: Schema) -> Schema {
        .list(of: element, limit: limit)
    }

    /// An object with lists that are required.
    private static func request(_ lists: [String: Schema]) -> Schema {
        .object(lists.mapValues { list($0).notEmpty.required })
    }

    private static func answer(_ nouns: String...) -> Schema {
        var members: [String: Schema] = ["errors": .list(of: "ItemProblem")]
        for noun in nouns { members["\(noun)_processed"] = .count }
        return .success(members)
    }

    private func addAliases(_ call: RESTEndpoint.Call) async throws -> Response {
        let elements = try call.reader().objects("user_aliases", limit: Self.limit)
        let changes = try elements.map { element in
            let name = try alias(element, "alias_name")
            let label = try alias(element, "alias_label")
            return IdentityChange.addAlias(
                name: name,
                label: label,
                externalID: try element.externalID("external_id")
            )
        }
        return try await answer(call, ["user_aliases": changes], ["user_aliases": "aliases"])
    }

    private func renameAliases(_ call: RESTEndpoint.Call) async throws -> Response {
        let elements = try call.reader().objects("alias_updates", limit: Self.limit)
        let changes = try elements.map { element in
            IdentityChange.renameAlias(
                label: try alias(element, "alias_label"),
                from: try alias(element, "old_alias_name"),
                to: try alias(element, "new_alias_name")
            )
        }
        return try await answer(call, ["alias_updates": changes], ["alias_updates": "aliases"])
    }

    private func identify(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        var changes: [String: [IdentityChange]] = [:]
        if reader.value("aliases_to_identify") != nil {
            changes["aliases_to_identify"] =
                try reader.objects("aliases_to_identify", limit: Self.limit).map { element in
                    .identify(
                        try UserIdentifier.alias(element.value("user_alias") ?? .null),
                        as: try element.requiredExternalID("external_id")
                    )
                }
        }
        for (list, field) in [
            ("emails_to_identify", "email"), ("phone_numbers_to_identify", "phone"),
        ] where reader.value(list) != nil {
            var found: [IdentityChange] = []
            for element in try reader.objects(list, limit: Self.limit) {
                let text = try element.requiredString(field)
                let target = try element.requiredExternalID("external_id")
                let reference: UserReference = field == "email" ? .email(text) : .phone(text)
                let meant = try await users.users(reference, in: call.workspace)
                let user = try UserPrioritization(element).choose(from: meant)
                // If no user matches, the change is rejected together with the others.
                found.append(
                    .identify(.profile(user?.publicID ?? Self.nobody), as: target)
                )
            }
            changes[list] = found
        }
        return try await answer(
            call,
            changes,
            [
                "aliases_to_identify": "aliases", "emails_to_identify": "emails",
                "phone_numbers_to_identify": "phone_numbers",
            ]
        )
    }

    /// An identifier that no profile has.
    private static let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private func renameExternalIDs(_ call: RESTEndpoint.Call) async throws -> Response {
        let elements = try call.reader().objects("external_id_renames", limit: Self.limit)
        let renames = try elements.map { element in
            (
                old: try element.requiredExternalID("current_external_id"),
                new: try element.requiredExternalID("new_external_id")
            )
        }
        return try await externalIDs(
            call,
            "external_id_renames",
            renames.map { .renameExternalID(from: $0.old, to: $0.new) },
            renames.map(\.new)
        )
    }

    private func removeExternalIDs(_ call: RESTEndpoint.Call) async throws -> Response {
        let ids = try call.reader().externalIDs("external_ids", limit: Self.limit)
        return try await externalIDs(
            call,
            "external_ids",
            ids.map { .removeExternalID($0) },
            ids
        )
    }

    private func externalIDs(
        _ call: RESTEndpoint.Call,
        _ list: String,
        _ changes: [IdentityChange],
        _ ids: [String]
    ) async throws -> Response {
        let outcomes = try await apply(call, [list: changes])[list] ?? []
        let done = zip(ids, outcomes).filter { $0.1 == .done }.map { JSONValue.string($0.0) }
        var body: [String: JSONValue] = [
            "message": "success", "external_ids": .array(done),
        ]
        let errors = Self.errors(list, outcomes)
        body[list == "external_ids" ? "removal_errors" : "rename_errors"] = .array(errors)
        return try JSONResponse.json(JSONValue.object(body), status: .created)
    }

    // MARK: Answers

    func answer(
        _ call: RESTEndpoint.Call,
        _ changes: [String: [IdentityChange]],
        _ nouns: [String: String],
        status: HTTPResponse.Status = .created
    ) async throws -> Response {
        let outcomes = try await apply(call, changes)
        var body: [String: JSONValue] = ["message": "success"]
        var errors: [JSONValue] = []
        for (list, results) in outcomes.sorted(by: { $0.key < $1.key }) {
            let done = results.count { $0 == .done }
            body["\(nouns[list] ?? list)_processed"] = .integer(Int64(done))
            errors += Self.errors(list, results)
        }
        if !errors.isEmpty { body["errors"] = .array(errors) }
        return try JSONResponse.json(JSONValue.object(body), status: status)
    }

    private func apply(
        _ call: RESTEndpoint.Call,
        _ changes: [String: [IdentityChange]]
    ) async throws -> [String: [IdentityOutcome]] {
        let lists = changes.sorted { $0.key < $1.key }
        guard lists.contains(where: { !$0.value.isEmpty }) else {
            throw FieldProblem("body", .nothingToDo)
        }
        let outcomes = try await users.apply(lists.flatMap(\.value), by: .key(call.key))
        var left = outcomes[...]
        var result: [String: [IdentityOutcome]] = [:]
        for (list, changes) in lists {
            result[list] = Array(left.prefix(changes.count))
            left = left.dropFirst(changes.count)
        }
        return result
    }

    private static func errors(_ list: String, _ outcomes: [IdentityOutcome]) -> [JSONValue] {
        outcomes.enumerated().compactMap { index, outcome in
            guard case .refused(let reason) = outcome else { return nil }
            return [
                "input_array": .string(list), "index": .integer(Int64(index)),
                "type": .string("\(reason)"), "message": .string("\(reason)"),
            ]
        }
    }

    // MARK: Fields

    private func alias(
        _ reader: RequestReader,
        _ field: String
    ) throws(FieldProblem) -> String {
        let text = try reader.requiredString(field)
        do {
            _ = try UserIdentifier.alias([
                "alias_name": .string(text), "alias_label": .string(text),
            ])
        } catch {
            throw reader.problem(field, .characterCount, ["count": "255"])
        }
        return text
    }
}
