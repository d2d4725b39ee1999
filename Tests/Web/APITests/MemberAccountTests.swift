import Accounts
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

@Suite("What members sign in with, for programs")
struct MemberAccountTests {
    private struct Bench {
        let client: APIClient
        let key: String
        let member: MemberEntry

        func call(
            _ method: HTTPRequest.Method,
            _ path: String,
            key other: String? = nil
        ) async throws -> APIClient.Answer {
            try await client.send(path, method, [.authorization: "Bearer \(other ?? key)"], nil)
        }

        func factors(_ rest: String = "", key: String? = nil) async throws -> APIClient.Answer {
            try await call(
                rest.isEmpty ? .get : .delete,
                "/members/ada@example.com/second_factors" + rest,
                key: key
            )
        }

        func passkeys() async throws -> [Passkey] {
            try await client.store.passkeys(of: member.member.id, in: client.workspace)
        }
    }

    private func add(
        _ email: String,
        in workspace: WorkspaceID,
        _ store: any Store
    ) async throws -> MemberEntry {
        try await store.addMember(
            MemberDraft(name: "Ada", email: email, passwordHash: "x", role: .viewer),
            MemberDetails(),
            in: workspace,
            noting: nil,
            now: APIClient.now
        )
    }

    /// Ada has an authenticator app, two recovery codes and a passkey.
    private func bench(_ work: @escaping @Sendable (Bench) async throws -> Void) async throws {
        try await APIClient.run { client in
            let store = client.store
            let entry = try await add("ada@example.com", in: client.workspace, store)
            let id = entry.member.id
            let record = AuditRecord(
                at: APIClient.now,
                by: .member(entry.member),
                action: "set_up",
                subject: entry.member.email
            )
            #expect(try await store.saveSecondFactor(Data([1]), of: id))
            #expect(
                try await store.confirmSecondFactor(
                    Data([1]),
                    of: id,
                    step: 1,
                    recoveryCodes: [Data([1]), Data([2])],
                    noting: record
                )
            )
            try await store.addPasskey(
                Passkey(
                    member: id,
                    credentialID: Data([1]),
                    publicKey: Data([1]),
                    name: "Laptop",
                    signCount: 0,
                    createdAt: APIClient.now
                ),
                noting: record
            )
            let key = try await client.key([
                APIKey.secondFactorPermission, APIKey.secondFactorRemovalPermission,
                APIKey.passwordLinkPermission,
            ])
            try await work(Bench(client: client, key: key, member: entry))
        }
    }

    @Test("an administrator's key shows and removes them, and the log says which key")
    func removing() async throws {
        try await bench { bench in
            let shown = try await bench.factors()
            #expect(shown.status == .ok, "\(shown.body)")
            let passkey = try #require(try await bench.passkeys().first)
            #expect(
                shown.body["totp"]
                    == .object([
                        "set_up_at": shown.body["totp"]?["set_up_at"] ?? .null,
                        "recovery_codes": 2,
                    ])
            )
            #expect(
                shown.body["passkeys"] == [
                    [
                        "id": .integer(passkey.id.rawValue), "name": "Laptop",
                        "created_at": .string(Timestamp.format(APIClient.now)),
                        "last_used_at": nil,
                    ]
                ]
            )
            // The id is the one that SCIM gives.
            let id = try #require(shown.body["member"]?["id"]?.stringValue)
            let users = try await bench.client.get("/scim/v2/Users")
            #expect(users.body["Resources"]?.arrayValue?.first?["id"]?.stringValue == id)
            let named = try await bench.call(.get, "/members/\(id)/second_factors")
            #expect(named.body == shown.body)

            #expect(try await bench.factors("/totp").status == .ok)
            #expect(try await bench.factors("/totp").status == .notFound)
            #expect(try await bench.factors("/passkeys/\(passkey.id)").status == .ok)
            #expect(try await bench.factors("/passkeys/\(passkey.id)").status == .notFound)
            #expect(try await bench.factors("/passkeys/laptop").status == .notFound)
            let left = try await bench.factors().body
            #expect(left["totp"] == .null && left["passkeys"] == [])
            let log = try await bench.client.store.audit(
                in: bench.client.workspace,
                matching: AuditQuery(origin: .api)
            ).records
            #expect(log.map(\.action) == ["passkey_removed", "second_factor_removed"])
            #expect(
                log.allSatisfy {
                    $0.subject == "ada@example.com" && $0.author.contains("second_factors")
                }
            )
        }
    }

    @Test("a link lets a person choose a password, once")
    func link() async throws {
        try await bench { bench in
            let made = try await bench.call(.post, "/members/ada%40example.com/password_link")
            #expect(made.status == .created, "\(made.body)")
            let link = try #require(made.body["password_link"]?.stringValue)
            let end = APIClient.now + AccountService.passwordLinkLength
            #expect(made.body["expires_at"] == .string(Timestamp.format(end)))
            let token = try #require(
                link.firstMatch(of: /^http:\/\/.+\/console\/password\/(.+)$/)
            )
            try await bench.client.accounts.choosePassword(
                "a password of Ada's",
                passwordLink: String(token.1)
            )
            let log = try await bench.client.store.audit(
                in: bench.client.workspace,
                matching: AuditQuery(origin: .api)
            ).records
            #expect(log.map(\.action) == ["password_link_made"])
        }
    }

    @Test("a key for everything, of elsewhere, or that does not reach the account is refused")
    func refusals() async throws {
        try await bench { bench in
            let client = bench.client
            let there = try await client.store.createWorkspace(
                name: "Harbor",
                timeZone: "UTC",
                now: APIClient.now
            )
            let permissions = APIKey.permissionsByName
            let everything = try await client.key(["*"])
            let stranger = try await client.key(permissions, in: there)
            let passkey = try #require(try await bench.passkeys().first).id
            func statuses(_ key: String) async throws -> [Int] {
                var statuses: [Int] = []
                for path in ["", "/totp", "/passkeys/\(passkey)"] {
                    statuses.append(try await bench.factors(path, key: key).status.code)
                }
                let link = "/members/ada@example.com/password_link"
                statuses.append(try await bench.call(.post, link, key: key).status.code)
                return statuses
            }
            #expect(try await statuses(everything) == [403, 403, 403, 403])
            #expect(try await statuses(stranger) == [404, 404, 404, 404])
            _ = try await add("ada@example.com", in: there, client.store)
            #expect(try await statuses(stranger) == [409, 409, 409, 409])
            #expect(try await statuses(bench.key) == [409, 409, 409, 409])
            #expect(try await bench.passkeys().count == 1)
            let factor = try await client.store.secondFactor(of: bench.member.member.id)
            #expect(factor?.confirmedAt != nil)
            for name in ["nobody@example.com", "1", "99-zz", "x"] {
                let answer = try await bench.call(.get, "/members/\(name)/second_factors")
                #expect(answer.status == .notFound, "\(name)")
            }
        }
    }
}
