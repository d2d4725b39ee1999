import Foundation
import Synchronization

/// The rules of a browser's push service: what is answered to a request.
final class WebPushSimulatorService: GatewayService {
    struct State {
        var origin = ""
        var subscriptions: [String: SimulatedSubscription] = [:]
        /// Paths of subscriptions that ended.
        var ended: Set<String> = []
        var mailbox: GatewayMailbox<SimulatedWebPush>
    }

    private struct SubscriptionRequest: Decodable {
        var application_server_key: String?
    }

    private static let longestTopic = 32
    private static let longestBody = 4096
    private static let longestLife = 28 * 86_400
    private static let urgencies: Set = ["very-low", "low", "normal", "high"]
    private static let waitingPushes = 1000

    let now: @Sendable () -> Date
    let faults: FaultPlayer
    let state: Mutex<State>

    init(recordLimit: Int, faults: FaultScript, now: @escaping @Sendable () -> Date) {
        self.now = now
        self.faults = FaultPlayer(faults, startedAt: now())
        state = Mutex(State(mailbox: GatewayMailbox(recordLimit: recordLimit)))
    }

    func initialStreamLimit(for peer: GatewayPeer) -> Int { 100 }

    func plan(_ request: GatewayRequest) -> GatewayPlan {
        if GatewayControl.isControl(request) {
            return GatewayPlan(delay: .zero) { GatewayAnswer(self.control(request)) }
        }
        let date = now()
        let (latency, fault) = faults.next(token: request.path, now: date)
        let delay = latency + .milliseconds(fault?.delayMilliseconds ?? 0)
        return GatewayPlan(delay: delay) {
            if let fault, let answer = Self.play(fault) { return answer }
            return GatewayAnswer(self.judge(request, now: date))
        }
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
            state.mailbox.forget(endpoint)
        }
    }

    func pushes(for endpoint: String) -> AsyncStream<SimulatedWebPush> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.waitingPushes)) { continuation in
            let id = state.withLock { state in
                state.mailbox.listen(to: endpoint, now: now(), continuation)
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.mailbox.stopListening(id, to: endpoint) }
            }
        }
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
        if let problem = VAPIDJudge.problem(
            authorization,
            origin: origin,
            key: subscription.applicationServerKey,
            now: date
        ) {
            return Self.refusal(403, problem)
        }
        guard let life = request.header("ttl").flatMap(Int.init), life >= 0 else {
            return Self.refusal(400, "BadTTL")
        }
        let urgencies = request.headers.filter { $0.name == "urgency" }.map(\.value)
        guard urgencies.count <= 1, Self.urgencies.contains(urgencies.first ?? "normal") else {
            return Self.refusal(400, "BadUrgency")
        }
        let topic = request.header("topic")
        if let topic, !Self.isTopic(topic) { return Self.refusal(400, "BadTopic") }
        guard request.body.count <= Self.longestBody else {
            return Self.refusal(413, "PayloadTooLarge")
        }
        if !request.body.isEmpty, request.header("content-encoding") != "aes128gcm" {
            return Self.refusal(400, "BadContentEncoding")
        }
        let push = SimulatedWebPush(
            location: "\(origin)/message/\(UUID().uuidString.lowercased())",
            endpoint: subscription.endpoint,
            timeToLive: min(life, Self.longestLife),
            urgency: urgencies.first ?? "normal",
            topic: topic,
            encrypted: request.body,
            content: subscription.decrypt(request.body),
            receivedAt: date
        )
        state.withLock { $0.mailbox.accept(push, now: date) }
        return GatewayResponse(
            status: 201,
            headers: [
                (name: "location", value: push.location),
                (name: "ttl", value: String(push.timeToLive)),
            ]
        )
    }

    private static func isTopic(_ topic: String) -> Bool {
        topic.utf8.count <= longestTopic && !topic.isEmpty
            && topic.allSatisfy { character in
                character.isASCII
                    && (character.isLetter || character.isNumber || character == "-"
                        || character == "_")
            }
    }

    private static func refusal(_ status: Int, _ reason: String) -> GatewayResponse {
        GatewayControl.json(["reason": reason], status: status)
    }

    private static func play(_ fault: Fault) -> GatewayAnswer? {
        if let ending = fault.ending { return GatewayAnswer(ending) }
        guard let status = fault.status else { return nil }
        var response = refusal(status, fault.reason ?? "Fault")
        if let seconds = fault.retryAfter {
            response.headers.append((name: "retry-after", value: String(seconds)))
        }
        return GatewayAnswer(response)
    }

    // MARK: - The simulator's own requests

    private func control(_ request: GatewayRequest) -> GatewayResponse {
        if let response = GatewayControl.common(request, faults: faults, now: now()) {
            return response
        }
        let parts = GatewayControl.parts(request)
        switch (request.method, parts.first, parts.count) {
        case ("GET", "accepted", 1):
            let records = state.withLock { $0.mailbox.records }
            return GatewayControl.json(records.map(SimulatedWebPush.Record.init))
        case ("POST", "subscriptions", 1):
            var key: String?
            if !request.body.isEmpty {
                do {
                    key = try GatewayControl.read(SubscriptionRequest.self, request)
                        .application_server_key
                } catch {
                    return GatewayControl.problem(error.description)
                }
            }
            let subscription = subscribe(applicationServerKey: key)
            return GatewayControl.json(SubscriptionRecord(subscription), status: 201)
        case ("DELETE", "subscriptions", 2):
            let origin = state.withLock { $0.origin }
            unsubscribe(endpoint: "\(origin)/push/\(parts[1])")
            return GatewayResponse(status: 204)
        default:
            return GatewayControl.problem(
                """
                known are GET accepted, POST subscriptions, DELETE subscriptions/ID and \
                PUT faults, below /simulator/
                """,
                status: 404
            )
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
