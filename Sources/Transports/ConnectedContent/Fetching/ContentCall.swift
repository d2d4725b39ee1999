import AsyncHTTPClient
import Foundation
import Liquid
import Model
import NIOCore
import NIOHTTP1
import Ports
import Reasons

/// A call that has passed all checks.
struct ContentCall: Sendable {
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    /// Headers of the connection itself, which a template may not set.
    private static let ownHeaders: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer",
        "expect", "keep-alive", "proxy-authorization", "proxy-connection",
    ]

    let address: ContentAddress
    let request: HTTPClientRequest

    /// - Throws: `ContentFetchError.refused`
    init(
        _ request: ConnectedContentRequest,
        credentials: (user: String, password: String)?
    ) throws {
        address = try ContentAddress(request.url)
        guard Self.methods.contains(request.method) else {
            throw ContentFetchError.refused(.method, ["method": .text(request.method)])
        }
        var call = HTTPClientRequest(url: address.text)
        call.method = HTTPMethod(rawValue: request.method)
        // The template's own headers may replace these defaults.
        var headers: HTTPHeaders = [
            "User-Agent": "Noroshi", "Accept": "*/*", "Accept-Encoding": "identity",
        ]
        if let body = request.body, request.method != "GET", request.method != "HEAD" {
            call.body = .bytes(ByteBuffer(string: body))
            headers.add(
                name: "Content-Type",
                value: request.contentType ?? "application/x-www-form-urlencoded"
            )
        } else if let type = request.contentType {
            headers.add(name: "Content-Type", value: type)
        }
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            guard Self.isToken(name), !Self.ownHeaders.contains(name.lowercased()) else {
                throw ContentFetchError.refused(.headerOwn, ["name": .text(name)])
            }
            headers.replaceOrAdd(name: name, value: value)
        }
        if let credentials {
            let pair = Data("\(credentials.user):\(credentials.password)".utf8)
            headers.replaceOrAdd(
                name: "Authorization",
                value: "Basic \(pair.base64EncodedString())"
            )
        }
        for header in headers where !Self.isFieldValue(header.value) {
            throw ContentFetchError.refused(.headerControl, ["name": .text(header.name)])
        }
        call.headers = headers
        self.request = call
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
            }
    }

    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
    }
}
