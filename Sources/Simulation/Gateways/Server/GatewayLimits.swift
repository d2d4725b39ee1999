import NIOCore
import Synchronization

/// The limits of a simulated service, so that no client can exhaust it.
package struct GatewayLimits: Sendable {
    /// Maximum number of concurrent connections; further ones are closed.
    package var connections = 1000
    /// Maximum size of incomplete requests on all connections together, in bytes.
    package var unfinishedBytes = 32 * 1024 * 1024
    /// Maximum size of long unread responses on all connections together, in bytes.
    package var unreadBytes = 256 * 1024 * 1024
    /// Timeout from the connection to the negotiated protocol.
    package var handshakeTime: Duration = .seconds(15)
    /// Timeout from a request's headers to its end.
    package var requestTime: Duration = .seconds(30)
    /// Timeout from the handshake to the first complete request.
    package var firstRequestTime: Duration = .seconds(600)
    /// HTTP/2: maximum idle time of a connection; senders should ping after an hour.
    package var quietTime: Duration = .seconds(2 * 3600)
    /// HTTP/1.1: maximum idle time of a connection without a complete request.
    package var keepAliveTime: Duration = .seconds(120)
    /// How long a client may leave its responses unread.
    package var unreadTime: Duration = .seconds(30)

    package init() {}

    /// Interval between checks of the timeouts.
    var checkInterval: TimeAmount {
        let shortest = min(requestTime, firstRequestTime, quietTime, keepAliveTime, unreadTime)
        return TimeAmount(min(.seconds(5), max(.milliseconds(10), shortest / 4)))
    }
}

/// Number of bytes in use by all connections of a server.
final class GatewayBudget: Sendable {
    private let limit: Int
    private let held = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Reserves bytes; `false` if the limit is reached.
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

/// The state shared by the handlers of a server's connections.
struct GatewayHouse: Sendable {
    let service: any GatewayService
    let limits: GatewayLimits
    /// The budget of incomplete requests.
    let budget: GatewayBudget
    /// The budget of long responses.
    private let answers: GatewayBudget

    /// Minimum size of a long response, in bytes.
    private static let longBody = 64 * 1024

    init(service: any GatewayService, limits: GatewayLimits) {
        self.service = service
        self.limits = limits
        budget = GatewayBudget(limit: limits.unfinishedBytes)
        answers = GatewayBudget(limit: limits.unreadBytes)
    }

    /// The response with its reservation in the budget of long responses, which the promise
    /// releases after writing; an error response if the budget is used up.
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
