import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons
import Users

/// `POST /users/delete`: permanently deletes all data of users.
struct UserDeletionRoutes: Sendable {
    private static let lists = [
        "external_ids", "user_aliases", "braze_ids", "email_addresses", "phone_numbers",
    ]

    let users: UserService

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/users/delete",
                "users.delete",
                "Deletes users and their data",
                takes: Schema.object([
                    "external_ids": UserSelection.schema(SharedSchemas.externalID),
                    "user_aliases": UserSelection.schema("UserAlias"),
                    "braze_ids": UserSelection.schema(.uuid),
                    "email_addresses": UserSelection.schema(
                        .object(["email": .text.required, "prioritization": "Prioritization"])
                    ),
                    "phone_numbers": UserSelection.schema(
                        .object(["phone": .text.required, "prioritization": "Prioritization"])
                    ),
                ]).described("Exactly one of the lists.").example(["external_ids": ["ada"]]),
                answers: .success(["deleted": Schema.count.required])
            ) { try await delete($0) }.recordingItself
        ]
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        guard Self.lists.count(where: { reader.value($0) != nil }) == 1 else {
            throw FieldProblem(
                "body",
                .exactlyOneOf,
                ["known": .text(Self.lists.joined(separator: ", "))]
            )
        }
        var selection = UserSelection()
        try await selection.add(reader, in: call.workspace, users)
        for (list, field) in [("email_addresses", "email"), ("phone_numbers", "phone")] {
            for element in try reader.objects(list, limit: UserSelection.limit) {
                let text = try element.requiredString(field)
                let found = try await users.users(
                    field == "email" ? .email(text) : .phone(text),
                    in: call.workspace
                )
                if let user = try UserPrioritization(element).choose(from: found) {
                    selection.add(user)
                }
            }
        }
        let deleted = try await users.delete(selection.users.map(\.id), by: .key(call.key))
        return try JSONResponse.json(
            JSONValue.object(["message": "success", "deleted": .integer(Int64(deleted))]),
            status: .created
        )
    }
}
