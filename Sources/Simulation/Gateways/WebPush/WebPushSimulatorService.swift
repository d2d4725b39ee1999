import Foundation
import Synchronization

/// Implements the rules of a browser's push service: the response to each request.
final class WebPushSimulatorService: GatewayService {
    struct State {
        var origin = ""
        var subscriptions: [String: SimulatedSubscription] = [:]
        /// Paths of ended subscriptions.
        var ended: Set<String> = []
    }

    private struct SubscriptionRequest: Decodable {
        var application_server_key: String?
    }

    private static let maxTopicLength = 32
    private static let maxBodyLength = 4096
    private static let maxLifetime = 28 * 86_400
    private static let urgencies: Set = ["very-low", "low", "normal", "high"]

    private let desk: SimulatedGateway<SimulatedWebPush>
    private let streamLimit: Int
    let state = Mutex(State())

    init(desk: SimulatedGateway<SimulatedWebPush>, streamLimit: Int) {
        self.desk = desk
        self.streamLimit = streamLimit
    }

    func initialStreamLimit(for peer: GatewayPeer) -> Int { streamLimit }

    func plan(_ request: GatewayRequest) -> ScheduledReply {
        if GatewayControl.isControl(request) {
            return ScheduledReply(delay: .zero) { GatewayReply(self.control(request)) }
        }
        return desk.plan(
            address: request.path,
            refusal: { status, fault, _ in Self.refusal(status, fault.reason ?? "Fault") },
            judge: { GatewayReply(self.judge(request, now: $0)) }
        )
    }

    func subscribe(applicationServerKey: String?) -> SimulatedSubscription {
        state.withLock { state in
            let path = "/push/\(UUID().uuidString.lowercased())"
            let subscription = SimulatedSubscription(
                origin: state.origin,
                path: path,
                applicationServerKey: applicationServerKey
            )
            state.subscriptions[path] = subscription
            return subscription
        }
    }

    func unsubscribe(endpoint: String) {
        state.withLock { state in
            let path = String(endpoint.dropFirst(state.origin.count))
            if state.subscriptions.removeValue(forKey: path) != nil { state.ended.insert(path) }
        }
        desk.forget(endpoint)
    }

    // MARK: - Requests

    private func judge(_ request: GatewayRequest, now date: Date) -> GatewayResponse {
        let (subscription, hasEnded, origin) = state.withLock { state in
            (
                state.subscriptions[request.path], state.ended.contains(request.path),
                state.origin
            )
        }
        if hasEnded { return Self.refusal(410, "Unsubscribed") }
        guard let subscription else { return Self.refusal(404, "NoSuchSubscription") }
        guard request.method == "POST" else { return Self.refusal(405, "MethodNotAllowed") }
        guard let authorization = request.header("authorization") else {
            return Self.refusal(401, "MissingAuthorization")
        }
        let audience: String
        do throws(VAPIDError) {
            audience = try VAPIDVerifier.audience(
                authorization,
                audiences: [origin, Self.withoutPort(origin)],
                key: subscription.applicationServerKey,
                now: date
            )
        } catch {
            return Self.refusal(403, error.reason)
        }
        guard let life = request.header("ttl").flatMap(Self.timeToLive) else {
            return Self.refusal(400, "BadTTL")
        }
        let urgencies = request.headers.filter { $0.name == "urgency" }.map(\.value)
        guard urgencies.count <= 1, Self.urgencies.contains(urgencies.first ?? "normal") else {
            return Self.refusal(400, "BadUrgency")
        }
        let topic = request.header("topic")
        if let topic, !Self.isTopic(topic) { return Self.refusal(400, "BadTopic") }
        guard request.body.count <= Self.maxBodyLength else {
            return Self.refusal(413, "PayloadTooLarge")
        }
        if !request.body.isEmpty, request.header("content-encoding") != "aes128gcm" {
            return Self.refusal(400, "BadContentEncoding")
        }
        let push = SimulatedWebPush(
            location: "\(origin)/message/\(UUID().uuidString.lowercased())",
            endpoint: subscription.endpoint,
            timeToLive: min(life, Self.maxLifetime),
            urgency: urgencies.first ?? "normal",
            topic: topic,
            audience: audience,
            encrypted: request.body,
            content: subscription.decrypt(request.body),
            receivedAt: date
        )
        desk.accept(push, now: date)
        return GatewayResponse(
            status: 201,
            headers: [
                (name: "location", value: push.location),
                (name: "ttl", value: String(push.timeToLive)),
            ]
        )
    }

    /// The origin without its port, as named by senders that expect port 443. A token for another
    /// host or another port is still rejected.
    private static func withoutPort(_ origin: String) -> String {
        guard var parts = URLComponents(string: origin) else { return origin }
        parts.port = nil
        return parts.string ?? origin
    }

    /// Seconds; a number that is too large stands for the longest time (RFC 8030, 5.2).
    private static func timeToLive(_ header: String) -> Int? {
        guard !header.isEmpty, header.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(header) ?? maxLifetime
    }

    private static func isTopic(_ topic: String) -> Bool {
        topic.utf8.count <= maxTopicLength && !topic.isEmpty
            && topic.allSatisfy { character in
                character.isASCII
                    && (character.isLetter || character.isNumber || character == "-"
                        || character == "_")
            }
    }

    private static func refusal(_ status: Int, _ reason: String) -> GatewayResponse {
        GatewayControl.json(["reason": reason], status: status)
    }

    // MARK: - The simulator's own requests

    private func control(_ request: GatewayRequest) -> GatewayResponse {
        let known = "POST subscriptions, DELETE subscriptions/ID"
        return desk.control(request, known: known) { method, parts in
            switch (method, parts.first, parts.count) {
            case ("POST", "subscriptions", 1):
                let key =
                    request.body.isEmpty
                    ? nil
                    : try GatewayControl.read(SubscriptionRequest.self, request)
                        .application_server_key
                let subscription = subscribe(applicationServerKey: key)
                return GatewayControl.json(SubscriptionRecord(subscription), status: 201)
            case ("DELETE", "subscriptions", 2):
                let origin = state.withLock { $0.origin }
                unsubscribe(endpoint: "\(origin)/push/\(parts[1])")
                return GatewayResponse(status: 204)
            default:
                return nil
            }
        }
    }
}

/// A subscription in the form of `PushSubscription.toJSON()`.
private struct SubscriptionRecord: Encodable {
    struct Keys: Encodable {
        var p256dh: String
        var auth: String
    }

    var endpoint: String
    var keys: Keys

    init(_ subscription: SimulatedSubscription) {
        endpoint = subscription.endpoint
        keys = Keys(p256dh: subscription.publicKey, auth: subscription.authenticationSecret)
    }
}
