import NIOCore
import Synchronization

/// What a simulated service grants to its clients, so that none of them can take it all.
package struct GatewayLimits: Sendable {
    /// Connections at once; more are closed as they come.
    package var connections = 1000
    /// Bytes of requests that are not complete, on all connections together.
    package var unfinishedBytes = 32 * 1024 * 1024
    /// Bytes of long answers that wait to be read, on all connections together.
    package var unreadBytes = 256 * 1024 * 1024
    /// From the connection to the protocol that both sides speak.
    package var handshakeTime: Duration = .seconds(15)
    /// From a request's headers to its end.
    package var requestTime: Duration = .seconds(30)
    /// From the handshake to the first complete request.
    package var firstRequestTime: Duration = .seconds(600)
    /// HTTP/2: a connection without a frame; senders are to ping after an hour.
    package var quietTime: Duration = .seconds(2 * 3600)
    /// HTTP/1.1: a connection without a complete request.
    package var keepAliveTime: Duration = .seconds(120)
    /// How long a client may leave its answers unread.
    package var unreadTime: Duration = .seconds(30)

    package init() {}

    /// How often the times are looked at.
    var checkInterval: TimeAmount {
        let shortest = min(requestTime, firstRequestTime, quietTime, keepAliveTime, unreadTime)
        return TimeAmount(min(.seconds(5), max(.milliseconds(10), shortest / 4)))
    }
}

/// Bytes that are held now for all connections of a server.
final class GatewayBudget: Sendable {
    private let limit: Int
    private let held = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes room for bytes; false when there is none.
    func take(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held + bytes <= limit else { return false }
            held += bytes
            return true
        }
    }

    func giveBack(_ bytes: Int) {
        held.withLock { $0 -= bytes }
    }
}

/// What the handlers of a server's connections share.
struct GatewayHouse: Sendable {
    let service: any GatewayService
    let limits: GatewayLimits
    /// Of unfinished requests.
    let budget: GatewayBudget
    /// Of long answers.
    private let answers: GatewayBudget

    /// A shorter body needs no place among the long answers.
    private static let longBody = 64 * 1024

    init(service: any GatewayService, limits: GatewayLimits) {
        self.service = service
        self.limits = limits
        budget = GatewayBudget(limit: limits.unfinishedBytes)
        answers = GatewayBudget(limit: limits.unreadBytes)
    }

    /// The answer with its place among the long ones, which the promise gives back when it has
    /// been written; a refusal when there is none.
    func admit(
        _ response: GatewayResponse,
        _ eventLoop: any EventLoop
    ) -> (GatewayResponse, EventLoopPromise<Void>?) {
        let count = response.body.count
        guard count > Self.longBody else { return (response, nil) }
        guard answers.take(count) else {
            let reason = "too many long answers wait to be read"
            return (GatewayControl.problem(reason, status: 503), nil)
        }
        let promise = eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { [answers] _ in answers.giveBack(count) }
        return (response, promise)
    }
}
