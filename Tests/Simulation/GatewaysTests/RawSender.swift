import Foundation
import Gateways
import Logging
import NIOPosix
import PushHTTP

/// Sends requests that no proper client would write.
struct RawSender {
    struct Answer: Equatable {
        var status: Int
        /// The service's word for it.
        var reason: String
    }

    private let client: PushHTTPClient

    init(_ simulator: some GatewaySimulator) throws {
        client = try PushHTTPClient(
            endpoint: PushHTTPEndpoint(
                host: simulator.host,
                port: simulator.port,
                security: .tls(trust: .authorities(pem: simulator.authorityPEM), identity: nil)
            ),
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func stop() async {
        await client.shutDown(grace: .zero)
    }

    func response(
        _ path: String,
        _ headers: [(name: String, value: String)],
        _ body: String
    ) async throws -> PushHTTPResponse {
        let request = PushHTTPRequest(
            path: path,
            sharedHeaders: SharedHeaders(headers),
            body: Array(body.utf8)
        )
        switch await client.send(request, deadline: .seconds(600)) {
        case .response(let response): return response
        case .notSent(let reason, _), .unanswered(let reason): throw NoAnswer(reason: reason)
        }
    }

    struct NoAnswer: Error {
        var reason: String
    }
}

/// What goes on the wire in one case, and the answer that belongs to it.
struct RuleCase: CustomStringConvertible {
    var name: String
    var path: String
    var headers: [(name: String, value: String)]
    var body: String
    var status: Int
    var reason: String

    var description: String { name }
}
