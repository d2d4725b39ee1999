import API
import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Testing

@Suite("Bad bodies")
struct BadBodyTests {
    private static let limit = 64 * 1024

    /// What is sent, and the statuses that are right for it.
    private static let bodies: [(name: String, bytes: [UInt8], statuses: Set<Int>)] = [
        ("nothing", [], [400]),
        ("half an object", Array("{\"attributes\": [".utf8), [400]),
        ("text behind the end", Array("{} {}".utf8), [400]),
        ("an array", Array("[]".utf8), [400]),
        ("a string", Array("\"x\"".utf8), [400]),
        ("a number", Array("1".utf8), [400]),
        ("null", Array("null".utf8), [400]),
        ("a trailing comma", Array("{\"a\": 1,}".utf8), [400]),
        ("not a number", Array("{\"a\": NaN}".utf8), [400]),
        ("broken UTF-8", Array("{\"a\": \"".utf8) + [0xC3, 0x28] + Array("\"}".utf8), [400]),
        ("half a surrogate", Array("{\"a\": \"\\ud800\"}".utf8), [400]),
        ("a control character", Array("{\"a\": \"\u{1}\"}".utf8), [400]),
        ("deep nesting", Array(repeating: UInt8(ascii: "["), count: 60_000), [400]),
        (
            "deep objects",
            Array(String(repeating: "{\"a\":", count: 10_000).utf8), [400]
        ),
        ("too many bytes", Array(repeating: UInt8(ascii: " "), count: limit + 1), [413]),
        (
            "a huge string",
            Array("{\"a\": \"".utf8) + Array(repeating: UInt8(ascii: "x"), count: limit), [413]
        ),
    ]

    @Test("every route that takes a body says what is wrong with one, and goes on")
    func bodies() async throws {
        var limits = RateLimits()
        limits.bodyBytes = Self.limit
        try await APIClient.run(limits: limits, overSocket: true) { client in
            let catalog = try await client.post(
                "/catalogs",
                ["catalogs": [["name": "teas", "fields": [["name": "id", "type": "string"]]]]]
            )
            #expect(catalog.status == .created)
            let routes = try await Self.routes(client)
            #expect(routes.count > 30)
            for route in routes {
                let key = route.path.hasPrefix("/sdk/") ? client.app.sdkKey : client.secret
                for body in Self.bodies {
                    let answer = try await client.send(
                        route.path,
                        route.method,
                        [.authorization: "Bearer \(key)", .contentType: "application/json"],
                        ByteBuffer(bytes: body.bytes)
                    )
                    let what = "\(route.method) \(route.path), \(body.name): \(answer.status)"
                    #expect(body.statuses.contains(answer.status.code), "\(what)")
                    #expect(!answer.message.isEmpty, "\(what)")
                }
                let packed = try await client.send(
                    route.path,
                    route.method,
                    [.authorization: "Bearer \(key)", .contentEncoding: "gzip"],
                    ByteBuffer(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xED, 0xC1])
                )
                #expect(packed.status == .unsupportedMediaType, "\(route)")
                #expect(packed.message.contains("gzip"), "\(route)")
            }
            let still = try await client.post(
                "/users/track",
                ["attributes": [["external_id": "ada"]]]
            )
            #expect(still.status == .created)
        }
    }

    @Test("a path that is not there and a method that is not taken are answered in JSON")
    func paths() async throws {
        try await APIClient.run { client in
            for path in ["/users", "/users/track/", "/nothing", "/sdk/v1/none", "/catalogs/a/b/c"] {
                let answer = try await client.send(path, .delete, [:], nil)
                #expect([404, 405].contains(answer.status.code), "\(path): \(answer.status)")
                #expect(!answer.message.isEmpty, "\(path)")
            }
            for (path, allowed) in [
                ("/users/track", "POST"), ("/sdk/v1/batch", "POST"), ("/openapi.json", "GET"),
                ("/sdk/v1/push-token", "DELETE, PUT"), ("/catalogs", "GET, POST"),
                ("/catalogs/teas/items/1", "DELETE, GET, PATCH, POST, PUT"),
            ] {
                let answer = try await client.send(path, .trace, [:], nil)
                #expect(answer.status == .methodNotAllowed, "\(path)")
                #expect(answer.headers[.allow] == allowed, "\(path)")
                #expect(answer.message.contains("TRACE"), "\(path)")
            }
        }
    }

    @Test(
        "what Braze has and this server has not is named",
        arguments: [
            ("/templates/email/list", "e-mail"), ("/email/bounce/remove", "e-mail"),
            ("/transactional/v1/campaigns/7/send", "e-mail"), ("/sms/invalid_phone_numbers", "SMS"),
            ("/messages/live_activity/update", "Live Activities"),
            ("/media_library/create", "media library"),
            ("/canvas/url_info/details", "/canvas/list"),
            ("/app_group/other", "settings"),
        ]
    )
    func absences(_ path: String, _ word: String) async throws {
        try await APIClient.run { client in
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await client.send(
                    path,
                    method,
                    [.authorization: "Bearer \(client.secret)"],
                    method == .post ? ByteBuffer(string: "{}") : nil
                )
                #expect(answer.status == .notFound, "\(path)")
                #expect(answer.message.contains(word), "\(answer.message)")
            }
        }
    }

    private static func routes(
        _ client: APIClient
    ) async throws -> [(method: HTTPRequest.Method, path: String)] {
        let description = try await client.send("/openapi.json", .get, [:], nil).body
        var routes: [(method: HTTPRequest.Method, path: String)] = [
            (.post, "/sdk/v1/batch"), (.put, "/sdk/v1/push-token"), (.delete, "/sdk/v1/push-token"),
        ]
        for (path, operations) in try #require(description["paths"]?.objectValue) {
            for (method, operation) in operations.objectValue ?? [:]
            where operation["requestBody"] != nil {
                routes.append(
                    (
                        try #require(HTTPRequest.Method(rawValue: method.uppercased())),
                        path.replacing("{catalog_name}", with: "teas")
                            .replacing("{item_id}", with: "1").replacing("{", with: "")
                            .replacing("}", with: "")
                    )
                )
            }
        }
        return routes
    }
}
