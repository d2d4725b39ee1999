import Synchronization
import X509

/// What a simulated service makes of a request; the servers speak the protocols around it.
protocol GatewayService: AnyObject, Sendable {
    /// The streams a new connection may open at once.
    func initialStreamLimit(for peer: GatewayPeer) -> Int
    func plan(_ request: GatewayRequest) -> GatewayPlan
}

/// What will happen to a request, and when. The request is looked at only then, so that one that
/// a `GOAWAY` overtakes has had no effect.
struct GatewayPlan: Sendable {
    var delay: Duration
    var answer: @Sendable () -> GatewayAnswer
}

/// One connection, as the service sees it.
final class GatewayPeer: Sendable {
    struct State {
        var isAuthorised = false
        /// The team of the first accepted token; APNs keeps a connection to one team.
        var team: String?
        /// The provider tokens that were taken on this connection.
        var tokens = ProviderTokenHistory()
    }

    /// The certificate the client showed in the handshake.
    let certificate: Certificate?
    /// The local port, by which a service with several listeners tells them apart.
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
    /// Names in lower case; pseudo-headers are not among them.
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var isHTTP2: Bool
    var peer: GatewayPeer

    /// Where a body is cut off: longer than what any request here may have.
    static let longestBody = 64 * 1024

    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// What happens to a request.
struct GatewayAnswer: Sendable {
    enum Ending: Sendable {
        case respond(GatewayResponse)
        /// No answer at all; the client's deadline decides.
        case stall
        case resetStream(code: UInt32)
        case dropConnection
        /// A `GOAWAY` naming this stream as the last one looked at (or the one before it), the
        /// answer where there is one, and the end of the connection.
        case goAway(reason: String, answersThisStream: GatewayResponse?)
    }

    var ending: Ending
    /// A new limit for the connection's streams, told to the client before the answer.
    var streamLimit: Int?

    init(_ ending: Ending) {
        self.ending = ending
    }

    init(_ response: GatewayResponse) {
        ending = .respond(response)
    }
}

/// An answer on the wire.
struct GatewayResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
}
