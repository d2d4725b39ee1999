import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports

/// `POST /users/export/ids`: everything that is known of users.
struct ExportRoutes: Sendable {
    /// Events and purchases of this time back are counted.
    static let activityLength: TimeInterval = 90 * 86_400

    let store: any Store
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/users/export/ids",
                "users.export.ids",
                "Exports users by their identifiers",
                limit: .export
            ) { try await export($0) }
        ]
    }

    private func export(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        var selection = UserSelection()
        try await selection.add(reader, in: call.workspace, store)
        var single: [UserReference] = []
        if let id = try reader.string("braze_id") {
            single.append(try UserSelection.publicID(id, "braze_id"))
        }
        if let address = try reader.string("email_address") { single.append(.email(address)) }
        if let number = try reader.string("phone") { single.append(.phone(number)) }
        for reference in single {
            for user in try await store.users(reference, in: call.workspace) {
                selection.add(user)
            }
        }
        let device = try reader.string("device_id")
        if let device {
            guard let id = UUID(uuidString: device) else {
                throw reader.problem("device_id", "is the identifier of an installation, a UUID")
            }
            if let user = try await store.user(ofInstallation: id, in: call.workspace) {
                selection.add(user)
            }
        }
        let named = ["external_ids", "user_aliases", "braze_ids"].filter {
            reader.value($0) != nil
        }
        guard !named.isEmpty || !single.isEmpty || device != nil else {
            throw FieldProblem(
                "external_ids",
                "name users by external_ids, user_aliases, device_id, braze_id, email_address or "
                    + "phone"
            )
        }
        let fields = try reader.strings("fields_to_export", limit: 100)
        return try APIAnswer.json(
            JSONValue.object([
                "message": "success",
                "users": .array(try await users(selection.users, Set(fields), call.workspace)),
                "invalid_user_ids": .array(selection.unknown),
            ]),
            status: .created
        )
    }

    private func users(
        _ profiles: [Profile],
        _ fields: Set<String>,
        _ workspace: WorkspaceID
    ) async throws -> [JSONValue] {
        let apps = Dictionary(
            uniqueKeysWithValues: try await store.apps(in: workspace).map { ($0.id, $0) }
        )
        // Counting events is the slow part; who does not ask for it does not wait for it.
        let countsActivity =
            fields.isEmpty || fields.contains("custom_events") || fields.contains("purchases")
        let start = countsActivity ? now().addingTimeInterval(-Self.activityLength) : now()
        var users: [JSONValue] = []
        for profile in profiles {
            let record = try await store.record(of: profile.id, since: start)
            var user = UserExport(profile, record, apps: apps).json
            if !fields.isEmpty { user = user.filter { fields.contains($0.key) } }
            users.append(.object(user))
        }
        return users
    }
}
