import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `POST /users/merge`.
extension IdentityRoutes {
    func merge(_ call: RESTEndpoint.Call) async throws -> Response {
        try await answer(
            call,
            ["merge_updates": try merges(call)],
            ["merge_updates": "merges"],
            status: .accepted
        )
    }

    private func merges(_ call: RESTEndpoint.Call) throws -> [IdentityChange] {
        let reader = try call.reader()
        guard let list = reader.value("merge_updates")?.arrayValue,
            list.allSatisfy({ $0.objectValue != nil })
        else { throw FieldProblem("merge_updates", .mustBeObjects) }
        guard list.count <= Self.limit else {
            throw APIError(
                .badRequest,
                "a single request may not contain more than \(Self.limit) merge updates"
            )
        }
        let elements = try reader.objects("merge_updates", limit: Self.limit)
        let allowed: Set = ["identifier_to_merge", "identifier_to_keep"]
        return try elements.map { element in
            guard element.fields == allowed else {
                throw FieldProblem("merge_updates", .mergeMembers)
            }
            let fields = allowed.sorted().compactMap { element.value($0)?.objectValue }
            guard fields.count == 2, fields.allSatisfy(Self.isIdentifier) else {
                throw APIError(
                    .badRequest,
                    "identifiers must be objects with an 'external_id' property that is a string, "
                        + "'user_alias' property that is an object, 'email' property that is a "
                        + "string, or 'phone' property that is a string"
                )
            }
            return IdentityChange.merge(
                try user(element, "identifier_to_merge"),
                into: try user(element, "identifier_to_keep")
            )
        }
    }

    /// Whether an object has the form of a user identifier.
    private static func isIdentifier(_ object: [String: JSONValue]) -> Bool {
        object["external_id"].flatMap(UserIdentifier.name) != nil
            || object["user_alias"]?.objectValue != nil
            || ["braze_id", "email", "phone"].contains { object[$0]?.stringValue != nil }
    }

    private func user(
        _ reader: RequestReader,
        _ field: String
    ) throws(FieldProblem) -> UserReference {
        guard let identifier = reader.value(field)?.objectValue else {
            throw reader.problem(field, .mustIdentify)
        }
        do {
            return try UserIdentifier.read(identifier)
        } catch {
            throw reader.problem("\(field).\(error.field)", error.reason)
        }
    }
}
