import Accounts
import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import Testing

@Suite("Members by SCIM")
struct SCIMTests {
    private static let users = "/scim/v2/Users"

    private struct Bench {
        let client: APIClient
        let key: String

        func call(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: JSONValue? = nil
        ) async throws -> APIClient.Answer {
            try await client.send(
                path,
                method,
                [.authorization: "Bearer \(key)"],
                try body.map { ByteBuffer(bytes: try JSONEncoder().encode($0)) }
            )
        }

        func add(
            _ email: String,
            _ more: [String: JSONValue] = [:]
        ) async throws -> APIClient.Answer {
            let body: [String: JSONValue] = [
                "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
                "userName": .string(email),
            ]
            return try await call(.post, users, .object(body.merging(more) { $1 }))
        }

        func patch(
            _ id: String,
            _ operations: JSONValue
        ) async throws -> APIClient.Answer {
            try await call(
                .patch,
                "\(users)/\(id)",
                [
                    "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                    "Operations": operations,
                ]
            )
        }

        func found(_ query: String) async throws -> [String] {
            let answer = try await call(.get, users + query)
            #expect(answer.status == .ok, "\(answer.body)")
            return (answer.body["Resources"]?.arrayValue ?? [])
                .compactMap { $0["userName"]?.stringValue }
        }
    }

    private func bench(_ work: @escaping @Sendable (Bench) async throws -> Void) async throws {
        try await APIClient.run { client in
            try await work(Bench(client: client, key: try await client.key(["scim"])))
        }
    }

    private func id(_ answer: APIClient.Answer) throws -> String {
        try #require(answer.body["id"]?.stringValue, "\(answer.body)")
    }

    @Test("a person is added, found, changed and removed")
    func life() async throws {
        try await bench { bench in
            let added = try await bench.add(
                "ada@example.com",
                [
                    "name": ["givenName": "Ada", "familyName": "King"], "externalId": "00u1",
                    "roles": [["value": "marketer"]], "department": "finance",
                ]
            )
            #expect(added.status == .created, "\(added.body)")
            #expect(added.headers[.contentType]?.hasPrefix("application/scim+json") == true)
            let id = try id(added)
            #expect(added.headers[.location]?.hasSuffix("\(Self.users)/\(id)") == true)
            let shown = try await bench.call(.get, "\(Self.users)/\(id)")
            #expect(shown.body == added.body)
            #expect(shown.body["name"]?["formatted"] == "Ada King")
            #expect(shown.body["active"] == true)
            #expect(shown.body["externalId"] == "00u1")
            #expect(shown.body["emails"]?.arrayValue?.first?["value"] == "ada@example.com")
            #expect(shown.body["meta"]?["resourceType"] == "User")
            let changed = try await bench.call(
                .put,
                "\(Self.users)/\(id)",
                ["name": ["givenName": "Augusta", "familyName": "King"]]
            )
            #expect(changed.status == .ok, "\(changed.body)")
            #expect(changed.body["displayName"] == "Augusta King")
            #expect(changed.body["roles"]?.arrayValue?.first?["value"] == "marketer")
            #expect(changed.body["externalId"] == nil)
            let removed = try await bench.call(.delete, "\(Self.users)/\(id)")
            #expect(removed.status == .noContent)
            #expect(try await bench.call(.get, "\(Self.users)/\(id)").status == .notFound)
            let audit = try await bench.client.store.audit(
                in: bench.client.workspace,
                matching: AuditQuery(origin: .api)
            ).records
            #expect(
                audit.map(\.action) == ["member_removed", "member_changed", "member_added"]
            )
            #expect(audit.allSatisfy { $0.subject == "ada@example.com" && $0.author == "scim" })
        }
    }

    @Test("members are listed by page and found by address and by the other system's id")
    func list() async throws {
        try await bench { bench in
            for name in ["ada", "ben", "eve"] {
                let added = try await bench.add(
                    "\(name)@example.com",
                    ["externalId": .string("x-\(name)")]
                )
                #expect(added.status == .created)
            }
            #expect(
                try await bench.found("") == ["ada", "ben", "eve"].map { "\($0)@example.com" }
            )
            #expect(try await bench.found("?startIndex=2&count=1") == ["ben@example.com"])
            #expect(try await bench.found("?startIndex=0&count=1") == ["ada@example.com"])
            #expect(try await bench.found("?startIndex=4") == [])
            let none = try await bench.call(.get, Self.users + "?count=0")
            #expect(none.body["totalResults"] == 3)
            #expect(none.body["Resources"] == [])
            for filter in [
                #"userName eq "BEN@example.com""#, #"username EQ "ben@example.com""#,
                #"externalId eq "x-ben""#, #"emails.value eq "ben@example.com""#,
                #"urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ben@example.com""#,
            ] {
                let query = try #require(
                    filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                )
                #expect(
                    try await bench.found("?filter=\(query)") == ["ben@example.com"],
                    "\(filter)"
                )
            }
            for filter in [
                "userName", #"userName co "b""#, "userName eq ben", #"name.givenName eq "b""#,
                #"userName eq """#, #"userName eq "a" or userName eq "b""#,
            ] {
                let query = try #require(
                    filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                )
                let refused = try await bench.call(.get, "\(Self.users)?filter=\(query)")
                #expect(refused.status == .badRequest, "\(filter)")
                #expect(refused.body["scimType"] == "invalidFilter", "\(filter)")
            }
            for query in [
                "startIndex=x", "count=9223372036854775807", "startIndex=-9223372036854775808",
            ] {
                #expect(try await bench.call(.get, "\(Self.users)?\(query)").status == .badRequest)
            }
        }
    }

    @Test("who is made inactive is signed out at once and cannot sign in until active again")
    func deactivation() async throws {
        try await bench { bench in
            let password = "correct horse battery"
            let id = try id(
                await bench.add("ada@example.com", ["password": .string(password)])
            )
            let accounts = bench.client.accounts
            let signedIn = try await accounts.signIn(email: "ada@example.com", password: password)
            let token = try #require(signedIn?.token)
            #expect(try await accounts.member(sessionToken: token) != nil)
            // As Microsoft's directory writes it.
            let off = try await bench.patch(
                id,
                [["op": "Replace", "path": "active", "value": "False"]]
            )
            #expect(off.body["active"] == false, "\(off.body)")
            #expect(try await accounts.member(sessionToken: token) == nil)
            #expect(try await accounts.signIn(email: "ada@example.com", password: password) == nil)
            let on = try await bench.patch(id, [["op": "replace", "value": ["active": true]]])
            #expect(on.body["active"] == true)
            #expect(try await accounts.member(sessionToken: token) == nil)
            #expect(try await accounts.signIn(email: "ada@example.com", password: password) != nil)
        }
    }

    @Test("what two say of a person in the same moment is both kept, and no role comes back")
    func sameMoment() async throws {
        try await bench { bench in
            let client = bench.client
            let directory = MemberDirectory(
                store: client.store,
                accounts: client.accounts,
                now: { APIClient.now }
            )
            let console = Actor.commandLine(account: "root", client.workspace)
            let added = try await bench.add("ada@example.com", ["roles": ["marketer"]])
            let id = try id(added)
            let member = try #require(
                await directory.member(email: "ada@example.com", in: client.workspace)
            ).member.id
            for round in 0..<8 {
                let role = round.isMultiple(of: 2) ? Member.Role.viewer : .marketer
                let texts = ["name.givenName", "name.familyName", "externalId"]
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for path in texts {
                        group.addTask {
                            let answer = try await bench.patch(
                                id,
                                [
                                    [
                                        "op": "replace", "path": .string(path),
                                        "value": .string("\(path) \(round)"),
                                    ]
                                ]
                            )
                            #expect(answer.status == .ok, "\(answer.body)")
                        }
                    }
                    group.addTask {
                        try await directory.setRole(role, of: member, by: console)
                    }
                    try await group.waitForAll()
                }
                let entry = try await directory.member(member, in: client.workspace)
                #expect(entry.givenName == "name.givenName \(round)")
                #expect(entry.familyName == "name.familyName \(round)")
                #expect(entry.externalID == "externalId \(round)")
                #expect(entry.member.role == role)
            }
        }
    }

    @Test("another password ends the sessions of the old one")
    func password() async throws {
        try await bench { bench in
            let accounts = bench.client.accounts
            let id = try id(
                await bench.add("ada@example.com", ["password": "the first password"])
            )
            let signedIn = try await accounts.signIn(
                email: "ada@example.com",
                password: "the first password"
            )
            let changed = try await bench.patch(
                id,
                [["op": "replace", "path": "password", "value": "the second password"]]
            )
            #expect(changed.status == .ok)
            #expect(changed.body["password"] == nil)
            #expect(try await accounts.member(sessionToken: signedIn?.token ?? "") == nil)
            let again = try await accounts.signIn(
                email: "ada@example.com",
                password: "the second password"
            )
            #expect(again != nil)
        }
    }

    @Test("the last administrator stays one who may sign in")
    func lastAdministrator() async throws {
        try await bench { bench in
            let admin: JSONValue = [["value": "administrator"]]
            let first = try id(await bench.add("ada@example.com", ["roles": admin]))
            let second = try id(
                await bench.add("ben@example.com", ["roles": admin, "active": false])
            )
            let cases = [
                try await bench.call(.delete, "\(Self.users)/\(first)"),
                try await bench.patch(
                    first,
                    [["op": "replace", "path": "active", "value": false]]
                ),
                try await bench.patch(
                    first,
                    [["op": "replace", "path": "roles", "value": [["value": "viewer"]]]]
                ),
                try await bench.patch(first, [["op": "remove", "path": "roles"]]),
                try await bench.call(
                    .put,
                    "\(Self.users)/\(first)",
                    ["userName": "ada@example.com", "active": false]
                ),
            ]
            for answer in cases {
                #expect(answer.status == .conflict, "\(answer.body)")
                #expect(answer.body["detail"]?.stringValue?.contains("last administrator") == true)
            }
            let on = try await bench.patch(
                second,
                [["op": "add", "path": "active", "value": true]]
            )
            #expect(on.status == .ok)
            #expect(try await bench.call(.delete, "\(Self.users)/\(first)").status == .noContent)
            #expect(try await bench.call(.delete, "\(Self.users)/\(second)").status == .conflict)
        }
    }

    @Test("parts of a name are changed one by one")
    func patches() async throws {
        try await bench { bench in
            let id = try id(
                await bench.add(
                    "ada@example.com",
                    ["name": ["givenName": "Ada", "familyName": "King"]]
                )
            )
            let renamed = try await bench.patch(
                id,
                [
                    ["op": "replace", "path": "name.familyName", "value": "Lovelace"],
                    ["op": "add", "path": "externalId", "value": "7"],
                    ["op": "replace", "path": #"emails[type eq "work"].value"#, "value": "x@y.z"],
                    ["op": "replace", "value": ["roles": [["value": "marketer"]]]],
                ]
            )
            #expect(renamed.status == .ok, "\(renamed.body)")
            #expect(renamed.body["displayName"] == "Ada Lovelace")
            #expect(renamed.body["externalId"] == "7")
            #expect(renamed.body["userName"] == "ada@example.com")
            #expect(renamed.body["roles"]?.arrayValue?.first?["value"] == "marketer")
            let removed = try await bench.patch(id, [["op": "remove", "path": "externalId"]])
            #expect(removed.body["externalId"] == nil)
            for (operations, kind) in [
                ([], "invalidSyntax"), ([["op": "move", "path": "active"]], "invalidSyntax"),
                ([["op": "remove"]], "noTarget"), ([["op": "add", "value": 7]], "invalidValue"),
                ([["op": "add", "path": "nickName", "value": "a"]], "invalidPath"),
                ([["op": "replace", "path": "id", "value": "a"]], "mutability"),
                ([["op": "replace", "path": "userName", "value": "b@example.com"]], "mutability"),
                ([["op": "replace", "path": "active", "value": 7]], "invalidValue"),
                ([["op": "replace", "path": "password", "value": "short"]], "invalidValue"),
            ] as [(JSONValue, String)] {
                let refused = try await bench.patch(id, operations)
                #expect(refused.status == .badRequest, "\(operations)")
                #expect(refused.body["scimType"] == .string(kind), "\(operations) \(refused.body)")
            }
        }
    }

    @Test("a refusal is written as the standard has it")
    func refusals() async throws {
        try await bench { bench in
            #expect(try await bench.add("ada@example.com").status == .created)
            let twice = try await bench.add("ADA@example.com")
            #expect(twice.status == .conflict)
            #expect(
                twice.body["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
            )
            #expect(twice.body["scimType"] == "uniqueness")
            #expect(twice.body["status"] == "409")
            for email in ["", "ada", "@", "a b@c", "a@\u{0}", String(repeating: "a", count: 255)] {
                #expect(try await bench.add(email).status == .badRequest, "\(email)")
            }
            for path in ["7", "1-zzz", "x-y", "1-"] {
                let none = try await bench.call(.get, "\(Self.users)/\(path)")
                #expect(none.status == .notFound)
                #expect(none.body["status"] == "404")
            }
            let strangers = try await bench.client.send(
                Self.users,
                .get,
                [.authorization: "Bearer nrs_none"],
                nil
            )
            #expect(strangers.status == .unauthorized)
            #expect(strangers.body["status"] == "401")
            #expect(strangers.body["detail"]?.stringValue?.isEmpty == false)
        }
    }

    @Test("a key for everything may not make members, and a key of another workspace sees none")
    func permissions() async throws {
        try await bench { bench in
            let id = try id(await bench.add("ada@example.com"))
            let all = try await bench.client.key(["*"])
            let other = try await bench.client.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: APIClient.now
            )
            let foreign = try await bench.client.key(["scim"], in: other)
            for (key, status) in [
                (all, HTTPResponse.Status.forbidden), (foreign, .notFound),
            ] {
                let bench = Bench(client: bench.client, key: key)
                #expect(try await bench.call(.get, "\(Self.users)/\(id)").status == status)
                #expect(try await bench.call(.delete, "\(Self.users)/\(id)").status == status)
                #expect(
                    try await bench.patch(id, [["op": "remove", "path": "externalId"]]).status
                        == status
                )
            }
            #expect(try await Bench(client: bench.client, key: foreign).found("") == [])
        }
    }

    @Test("what there is of SCIM is told")
    func discovery() async throws {
        try await bench { bench in
            let configuration = try await bench.call(.get, "/scim/v2/ServiceProviderConfig")
            #expect(configuration.body["patch"]?["supported"] == true)
            #expect(configuration.body["bulk"]?["supported"] == false)
            let types = try await bench.call(.get, "/scim/v2/ResourceTypes")
            #expect(types.body["Resources"]?.arrayValue?.first?["endpoint"] == "/Users")
            let schemas = try await bench.call(.get, "/scim/v2/Schemas")
            #expect(
                schemas.body["Resources"]?.arrayValue?.first?["id"]
                    == "urn:ietf:params:scim:schemas:core:2.0:User"
            )
        }
    }
}
