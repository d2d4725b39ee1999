import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons
import Users

/// The users that a request to delete or export names.
struct UserSelection {
    static let limit = SharedSchemas.identifierLimit

    static func schema(_ element: Schema) -> Schema { .list(of: element, limit: limit) }

    private(set) var users: [Profile] = []
    /// Identifiers without a user, as written in the request.
    private(set) var unknown: [JSONValue] = []
    private var known: Set<ProfileID> = []

    /// Adds the users of the lists `external_ids`, `user_aliases` and `braze_ids`.
    mutating func add(
        _ reader: RequestReader,
        in workspace: WorkspaceID,
        _ service: UserService
    ) async throws {
        var references: [(UserReference, JSONValue)] = []
        for id in try reader.externalIDs("external_ids", limit: Self.limit) {
            references.append((.external(id), .string(id)))
        }
        for value in try reader.list("user_aliases", limit: Self.limit) {
            references.append((try UserIdentifier.alias(value), value))
        }
        for id in try reader.strings("braze_ids", limit: Self.limit) {
            references.append((try Self.publicID(id, "braze_ids"), .string(id)))
        }
        guard references.count <= Self.limit else {
            throw FieldProblem("external_ids", .mostUsers, ["count": "\(Self.limit)"])
        }
        for (reference, text) in references {
            let found = try await service.users(reference, in: workspace)
            if found.isEmpty { unknown.append(text) }
            for user in found { add(user) }
        }
    }

    mutating func add(_ user: Profile) {
        if known.insert(user.id).inserted { users.append(user) }
    }

    static func publicID(
        _ text: String,
        _ field: String
    ) throws(FieldProblem) -> UserReference {
        guard let id = UUID(uuidString: text) else {
            throw FieldProblem(field, .exportedID)
        }
        return .profile(id)
    }
}
