import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons
import Users

/// `POST /users/export/ids`: all data of users.
struct ExportRoutes: Sendable {
    private static let fieldLimit = 100

    let archive: UserArchive
    let users: UserService

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/users/export/ids",
                "users.export.ids",
                "Exports users by their identifiers",
                limit: .export,
                takes: Schema.object([
                    "external_ids": UserSelection.schema(SharedSchemas.externalID),
                    "user_aliases": UserSelection.schema("UserAlias"),
                    "braze_ids": UserSelection.schema(.uuid), "braze_id": .uuid,
                    "device_id": .uuid, "email_address": .text, "phone": .text,
                    "fields_to_export": .list(of: .text, limit: Self.fieldLimit),
                ]).example(["external_ids": ["ada"], "fields_to_export": ["first_name"]]),
                answers: .success([
                    "users": Schema.list(of: "ExportedUser").required,
                    "invalid_user_ids": Schema.list(of: .either(.text, "UserAlias")).required,
                ])
            ) { try await export($0) }
        ]
    }

    private func export(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        var selection = UserSelection()
        try await selection.add(reader, in: call.workspace, users)
        var single: [UserReference] = []
        if let id = try reader.string("braze_id") {
            single.append(try UserSelection.publicID(id, "braze_id"))
        }
        if let address = try reader.string("email_address") { single.append(.email(address)) }
        if let number = try reader.string("phone") { single.append(.phone(number)) }
        for reference in single {
            // Clients use the first one, so named users come before anonymous ones.
            let found = try await users.users(reference, in: call.workspace)
            for user in found where user.externalID != nil { selection.add(user) }
            for user in found where user.externalID == nil { selection.add(user) }
        }
        let device = try reader.string("device_id")
        if let device {
            guard let id = UUID(uuidString: device) else {
                throw reader.problem("device_id", .installationID)
            }
            if let user = try await users.owner(ofInstallation: id, in: call.workspace) {
                selection.add(user)
            }
        }
        let named = ["external_ids", "user_aliases", "braze_ids"].filter {
            reader.value($0) != nil
        }
        guard !named.isEmpty || !single.isEmpty || device != nil else {
            throw FieldProblem(
                "external_ids",
                .nameUsers,
                ["known": "external_ids, user_aliases, device_id, braze_id, email_address or phone"]
            )
        }
        let fields = try reader.strings("fields_to_export", limit: Self.fieldLimit)
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "users": .array(try await exported(selection.users, Set(fields), call.workspace)),
                "invalid_user_ids": .array(selection.unknown),
            ]),
            status: .created
        )
    }

    private func exported(
        _ profiles: [Profile],
        _ fields: Set<String>,
        _ workspace: WorkspaceID
    ) async throws -> [JSONValue] {
        var exported: [JSONValue] = []
        let exporter = UserExporter(archive: archive, workspace: workspace)
        try await exporter.forEach(profiles.map(\.id), fields) { exported.append($0) }
        return exported
    }
}
