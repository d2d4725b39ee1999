import Ingestion
import Model
import NoroshiWire
import Reasons
import Users

/// The one user that a query names.
enum NamedUser {
    private static let names = ["external_id", "braze_id", "email", "phone"]

    static let parameters = RESTEndpoint.Parameter.oneOf([
        .init(name: "external_id"), .init(name: "braze_id", schema: .uuid), .init(name: "email"),
        .init(name: "phone"),
    ])

    /// - Throws: A problem if the query names nobody, or a user who is not known.
    static func profile(
        _ call: RESTEndpoint.Call,
        _ users: UserService
    ) async throws -> Profile {
        let reader = try call.reader()
        guard let named = names.first(where: { reader.value($0) != nil }) else {
            throw reader.problem(
                "external_id",
                .nameTheUser,
                ["known": .text(names.joined(separator: ", "))]
            )
        }
        let reference = try UserIdentifier.read(call.body.objectValue ?? [:])
        guard let profile = try await users.user(reference, in: call.workspace) else {
            throw reader.problem(named, .isUnknown)
        }
        return profile
    }
}
