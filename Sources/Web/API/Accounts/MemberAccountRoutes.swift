import Accounts
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire

/// `/members/…`: what the people who use the console sign in with, as far as an administrator may see
/// and end it. What else there is of them is SCIM's.
struct MemberAccountRoutes: Sendable {
    private static let member = "/members/{member_id}"
    private static let factors = member + "/second_factors"
    private static let whom = "; {member_id} is the id of /scim/v2/Users, or the address"

    let directory: MemberDirectory
    let accounts: AccountService
    let secondFactors: SecondFactorService
    let passkeys: PasskeyService
    let origin: LinkOrigin

    var endpoints: [RESTEndpoint] {
        let all: [RESTEndpoint] = [
            .on(
                .get,
                Self.factors,
                APIKey.secondFactorPermission,
                "Shows the second factor and the passkeys of a person who uses the console"
                    + Self.whom,
                answers: Self.answer
            ) { try await show($0) },
            .on(
                .delete,
                Self.factors + "/totp",
                APIKey.secondFactorRemovalPermission,
                "Removes a person's authenticator app and its recovery codes, so that the password "
                    + "alone signs in"
            ) { call in
                let member = try await entry(call).member
                guard try await secondFactors.remove(of: member.id, by: .key(call.key)) else {
                    throw APIError(.notFound, "'\(member.email)' has no authenticator app")
                }
                return try Self.success()
            },
            .on(
                .delete,
                Self.factors + "/passkeys/{passkey_id}",
                APIKey.secondFactorRemovalPermission,
                "Removes a passkey of a person"
            ) { call in
                let member = try await entry(call).member
                let id = Int64(call.pathParameter("passkey_id")).map { PasskeyID($0) }
                guard let id,
                    try await passkeys.remove(id, of: member.id, by: .key(call.key))
                else { throw APIError(.notFound, "'\(member.email)' has no such passkey") }
                return try Self.success()
            },
            .on(
                .post,
                Self.member + "/password_link",
                APIKey.passwordLinkPermission,
                "Makes a link with which a person chooses a new password, once",
                success: .created,
                answers: .success([
                    "password_link": Schema.text.required, "expires_at": Schema.time.required,
                ])
            ) { try await makePasswordLink($0) }.withoutBody,
        ]
        return all.map { $0.refusing(with: Self.problem).recordingItself }
    }

    private static let answer = Schema.success([
        "member": Schema.object([
            "id": Schema.text.required, "email": Schema.text.required, "name": Schema.text.required,
        ]).required,
        "totp": Schema.object([
            "set_up_at": Schema.time.required,
            "recovery_codes": Schema.count.required.described("How many have not been used."),
        ]).orNull.required,
        "passkeys": Schema.list(
            of: .object([
                "id": Schema.count.required, "name": Schema.text.required,
                "created_at": Schema.time.required, "last_used_at": Schema.time.orNull.required,
            ]),
            limit: PasskeyService.limit
        ).required,
    ])

    private func entry(_ call: RESTEndpoint.Call) async throws -> MemberEntry {
        let name = call.pathParameter("member_id")
        guard name.contains("@") else {
            return try await directory.member(scim: name, in: call.workspace)
        }
        guard let entry = try await directory.member(email: name, in: call.workspace) else {
            throw RefusalError(.noMember)
        }
        return entry
    }

    private func show(_ call: RESTEndpoint.Call) async throws -> Response {
        let entry = try await entry(call)
        let actor = Actor.key(call.key)
        let factor = try await secondFactors.factor(of: entry.member, by: actor)
        let keys = try await passkeys.passkeys(of: entry.member.id, by: actor)
        func time(_ date: Date) -> JSONValue { .string(Timestamp.format(date)) }
        var totp = JSONValue.null
        if let factor, let since = factor.confirmedAt {
            totp = [
                "set_up_at": time(since), "recovery_codes": .integer(Int64(factor.recoveryCodes)),
            ]
        }
        return try JSONResponse.json([
            "message": "success",
            "member": [
                "id": .string(SCIMID.text(of: entry)), "email": .string(entry.member.email),
                "name": .string(entry.member.name),
            ],
            "totp": totp,
            "passkeys": .array(
                keys.map { key in
                    [
                        "id": .integer(key.id.rawValue), "name": .string(key.name),
                        "created_at": time(key.createdAt),
                        "last_used_at": key.lastUsedAt.map(time) ?? .null,
                    ]
                }
            ),
        ])
    }

    private func makePasswordLink(_ call: RESTEndpoint.Call) async throws -> Response {
        let member = try await entry(call).member
        let address = try origin.address(for: call)
        guard
            let link = try await accounts.makePasswordLink(for: member.id, by: .key(call.key))
        else { throw APIError(.notFound, "'\(member.email)' may not sign in") }
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success", "password_link": .string(address + link.path),
                "expires_at": .string(Timestamp.format(link.expiresAt)),
            ]),
            status: .created
        )
    }

    private static func success() throws -> Response {
        try JSONResponse.json(JSONValue.object(["message": "success"]))
    }

    @Sendable
    private static func problem(_ error: any Error) -> APIError? {
        guard let refusal = error as? RefusalError else { return nil }
        switch refusal.code {
        case .noMember: return APIError(.notFound, refusal.description)
        case .memberElsewhere: return APIError(.conflict, refusal.description)
        default: return nil
        }
    }
}
