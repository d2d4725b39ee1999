import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Model
import NIOCore
import Testing

@testable import Front

@Suite("Addresses of the server")
struct AddressTests {
    private struct Context: RequestContext, RemoteAddressRequestContext {
        var coreContext: CoreRequestContextStorage
        let remoteAddress: SocketAddress?

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
            remoteAddress = source.channel.remoteAddress
        }
    }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// What a route sees of a request from 127.0.0.1: host, and what a proxy has said.
    private func seen(
        trusting proxies: [String],
        _ fields: [(String, String)]
    ) async throws -> String {
        let router = Router(context: Context.self)
        router.add(
            middleware: ForwardedHeaders(trustedProxies: proxies.compactMap { AddressRange($0) })
        )
        router.get("/seen") { request, _ in
            let others = ["X-Forwarded-Proto", "X-Forwarded-Host"].map { name in
                HTTPField.Name(name).flatMap { request.headers[$0] } ?? "-"
            }
            return ([request.head.authority ?? "-"] + others).joined(separator: " ")
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            logger: Self.quiet
        )
        let headers = fields.reduce(into: HTTPFields()) { headers, field in
            if let name = HTTPField.Name(field.0) { headers[name] = field.1 }
        }
        return try await application.test(.live) { client in
            try await client.execute(uri: "/seen", method: .get, headers: headers) { response in
                String(buffer: response.body).replacing(/:\d+/, with: "")
            }
        }
    }

    private static let said = [
        ("X-Forwarded-Proto", "http, https"), ("X-Forwarded-Host", "evil.example, push.example"),
    ]

    @Test("a trusted proxy says how and where a request came; its own word is the last one")
    func trusted() async throws {
        #expect(try await seen(trusting: ["127.0.0.0/8"], Self.said) == "push.example https -")
        #expect(try await seen(trusting: ["127.0.0.1"], []) == "localhost - -")
    }

    @Test("nobody else says it", arguments: [[], ["10.0.0.0/8"]])
    func strangers(proxies: [String]) async throws {
        #expect(try await seen(trusting: proxies, Self.said) == "localhost - -")
    }

    @Test(
        "a request without encryption is led to the same address by HTTPS",
        arguments: [
            ("push.example", 443, "https://push.example/a?b=c"),
            ("push.example:80", 443, "https://push.example/a?b=c"),
            ("push.example:8080", 8443, "https://push.example:8443/a?b=c"),
            ("[::1]:80", 443, "https://[::1]/a?b=c"), ("[::1]", 8443, "https://[::1]:8443/a?b=c"),
            ("a b", 443, nil), ("evil.example/@x", 443, nil), ("", 443, nil),
        ] as [(String, Int, String?)]
    )
    func redirect(host: String, port: Int, location: String?) {
        let redirect = SecureRedirect(publicAddress: nil, port: port)
        #expect(redirect.location("/a?b=c", at: host) == location)
    }

    @Test("it is led to the public address, if that is one of HTTPS")
    func publicAddress() {
        let secure = SecureRedirect(publicAddress: PublicAddress("https://p.example"), port: 8443)
        #expect(secure.location("/a", at: "other") == "https://p.example/a")
        let plain = SecureRedirect(publicAddress: PublicAddress("http://p.example"), port: 443)
        #expect(plain.location("/a", at: "other") == "https://other/a")
        #expect(plain.location("/a", at: nil) == nil)
    }
}
