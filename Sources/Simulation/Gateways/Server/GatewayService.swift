import Synchronization
import X509

/// The logic of a simulated service; the servers implement the protocols around it.
protocol GatewayService: AnyObject, Sendable {
    /// Maximum number of streams that a new connection may open.
    func initialStreamLimit(for peer: GatewayPeer) -> Int
    func plan(_ request: GatewayRequest) -> ScheduledReply
}

/// The response to a request, and its time. The request is processed only then, so that one
/// overtaken by a `GOAWAY` has no effect.
struct ScheduledReply: Sendable {
    var delay: Duration
    var answer: @Sendable () -> GatewayReply
}

/// A connection from the service's point of view.
final class GatewayPeer: Sendable {
    struct State {
        var isAuthorised = false
        /// The team of the first accepted token; APNs ties a connection to one team.
        var team: String?
        /// The provider tokens accepted on this connection.
        var tokens = ProviderTokenHistory()
    }

    /// The client's certificate from the handshake.
    let certificate: Certificate?
    /// The local port, which distinguishes the listeners of a service.
    let localPort: Int
    let state = Mutex(State())

    init(certificate: Certificate?, localPort: Int) {
        self.certificate = certificate
        self.localPort = localPort
    }
}

/// A complete request.
struct GatewayRequest: Sendable {
    var method: String
    /// Path and query.
    var path: String
    /// Names in lowercase, without pseudo-headers.
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var isHTTP2: Bool
    var peer: GatewayPeer

    /// Size at which a body is cut off, in bytes: more than any request here may have.
    static let maxBodyLength = 64 * 1024

    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// The response to a request.
struct GatewayReply: Sendable {
    enum Ending: Sendable {
        case respond(GatewayResponse)
        /// No response at all; the client's deadline decides.
        case stall
        case resetStream(code: UInt32)
        case dropConnection
        /// A `GOAWAY` naming this stream (or the one before it) as the last one processed, the
        /// response if there is one, and the end of the connection.
        case goAway(reason: String, answersThisStream: GatewayResponse?)
    }

    var ending: Ending
    /// A new limit for the connection's streams, announced before the response.
    var streamLimit: Int?

    init(_ ending: Ending) {
        self.ending = ending
    }

    init(_ response: GatewayResponse) {
        ending = .respond(response)
    }
}

/// A response on the wire.
struct GatewayResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
}
