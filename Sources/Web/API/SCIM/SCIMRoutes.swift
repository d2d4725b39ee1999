import Accounts
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire

/// `/scim/v2/…`: another system's directory creates, changes and removes members (RFC 7644).
struct SCIMRoutes: Sendable {
    private static let pageLimit = 200
    private static let user = SCIMUser.path + "/{member_id}"

    let directory: MemberDirectory
    let origin: LinkOrigin

    var endpoints: [RESTEndpoint] {
        let all: [RESTEndpoint] = [
            .get(
                SCIMUser.path,
                APIKey.memberPermission,
                "Lists the people who use the console, \(Self.pageLimit) at most",
                [
                    .init(
                        name: "filter",
                        summary: "userName, emails.value or externalId, eq and a text in quotes."
                    ),
                    .init(name: "startIndex", summary: "The first one is 1."),
                    .init(name: "count", summary: "How many are shown; 0 counts them alone."),
                ],
                answers: SCIMSchemas.list
            ) { try await list($0) },
            .on(
                .post,
                SCIMUser.path,
                APIKey.memberPermission,
                "Adds a person, a viewer where no role is sent",
                success: .created,
                takes: SCIMSchemas.draft,
                answers: SCIMSchemas.user
            ) { call in
                let entry = try await directory.add(
                    try SCIMUser.draft(call.body),
                    by: .key(call.key)
                )
                var response = try answer(entry, call, .created)
                response.headers[.location] =
                    "\(try origin.address(for: call))\(SCIMUser.path)/\(SCIMID.text(of: entry))"
                return response
            },
            .on(
                .get,
                Self.user,
                APIKey.memberPermission,
                "Shows a person",
                answers: SCIMSchemas.user
            ) { call in try answer(await entry(call), call) },
            .on(
                .put,
                Self.user,
                APIKey.memberPermission,
                "Makes a person what is sent; who is not active may not sign in",
                takes: SCIMSchemas.draft,
                answers: SCIMSchemas.user
            ) { call in
                _ = try call.reader()
                return try await change(call) { try SCIMUser.draft(call.body, of: $0) }
            },
            .on(
                .patch,
                Self.user,
                APIKey.memberPermission,
                "Changes what is said of a person, part by part",
                takes: SCIMSchemas.patch,
                answers: SCIMSchemas.user
            ) { call in
                _ = try call.reader()
                return try await change(call) { entry in
                    let user = try SCIMPatch.apply(call.body, to: entry)
                    return try SCIMUser.draft(.object(user), of: entry)
                }
            },
            .on(
                .delete,
                Self.user,
                APIKey.memberPermission,
                "Removes a person, whose sessions end",
                success: .noContent
            ) { call in
                try await directory.remove(await entry(call).member.id, by: .key(call.key))
                return Response(status: .noContent)
            },
            discovery("ServiceProviderConfig", "Says what of SCIM there is") { _ in
                SCIMSchemas.configuration
            },
            discovery("ResourceTypes", "Lists what there is: users") { origin in
                SCIMSchemas.page([SCIMSchemas.resourceType(origin)])
            },
            discovery("Schemas", "Lists what users consist of") { origin in
                SCIMSchemas.page([SCIMSchemas.userSchema(origin)])
            },
        ]
        return all.map { $0.refusing(with: SCIMProblem.problem).recordingItself }
    }

    private func discovery(
        _ name: String,
        _ summary: String,
        _ content: @escaping @Sendable (_ origin: String) -> JSONValue
    ) -> RESTEndpoint {
        .get(
            "/scim/v2/\(name)",
            APIKey.memberPermission,
            summary,
            answers: .object(["schemas": Schema.list(of: .text).required])
        ) { call in try Self.scim(content(origin.address(for: call))) }
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let filter = try reader.string("filter").map { text throws in
            try SCIMFilter.filter(text)
        }
        // Numbers below the minimum mean the minimum.
        let start = max(1, try Self.number("startIndex", reader) ?? 1)
        let count = min(Self.pageLimit, max(0, try Self.number("count", reader) ?? Self.pageLimit))
        let found = try await directory.members(
            in: call.workspace,
            matching: filter,
            limit: count,
            offset: start - 1
        )
        let origin = try origin.address(for: call)
        return try Self.scim(
            SCIMSchemas.page(
                found.entries.map { SCIMUser.json($0, at: origin) },
                total: found.total,
                start: start
            )
        )
    }

    private static func number(
        _ field: String,
        _ reader: RequestReader
    ) throws(FieldProblem) -> Int? {
        try reader.wholeNumber(field, -1_000_000...1_000_000)
    }

    private func entry(_ call: RESTEndpoint.Call) async throws -> MemberEntry {
        try await directory.member(scim: call.pathParameter("member_id"), in: call.workspace)
    }

    /// The number may have belonged to another member.
    private static func check(_ entry: MemberEntry, _ id: String) throws(APIError) {
        guard SCIMID.text(of: entry) == id else { throw APIError.noUser }
    }

    private func change(
        _ call: RESTEndpoint.Call,
        to draft: @escaping @Sendable (MemberEntry) throws -> MemberDirectory.Draft
    ) async throws -> Response {
        let id = call.pathParameter("member_id")
        guard let number = SCIMID.member(id) else { throw APIError.noUser }
        let changed = try await directory.change(
            number,
            to: { entry in
                try Self.check(entry, id)
                return try draft(entry)
            },
            by: .key(call.key)
        )
        return try answer(changed, call)
    }

    private func answer(
        _ entry: MemberEntry,
        _ call: RESTEndpoint.Call,
        _ status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try Self.scim(SCIMUser.json(entry, at: origin.address(for: call)), status: status)
    }

    private static func scim(
        _ value: JSONValue,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var response = try JSONResponse.json(value, status: status)
        response.headers[.contentType] = APIError.Form.scim.contentType
        return response
    }
}
