import Foundation
import Model
import Synchronization
import X509

/// Implements the rules of APNs: the response to each request.
final class APNsSimulatorService: GatewayService {
    struct State {
        var judge = APNsTokenVerifier()
        var devices = APNsDeviceRegistry()
        /// The environment of each port, when there are two.
        var environments: [Int: APNsEnvironment] = [:]
    }

    private let configuration: APNsSimulator.Configuration
    private let recordFile: RecordFile?
    let desk: SimulatedGateway<SimulatedPush>
    let state: Mutex<State>

    init(
        _ configuration: APNsSimulator.Configuration,
        desk: SimulatedGateway<SimulatedPush>,
        recordFile: RecordFile?
    ) {
        self.configuration = configuration
        self.recordFile = recordFile
        self.desk = desk
        var judge = APNsTokenVerifier()
        judge.tokensPerTeam = configuration.providerTokensPerTeam
        state = Mutex(State(judge: judge))
    }

    func separateEnvironments(production: Int, sandbox: Int) {
        state.withLock { $0.environments = [production: .production, sandbox: .sandbox] }
    }

    // MARK: - Requests

    func initialStreamLimit(for peer: GatewayPeer) -> Int {
        // A certificate authorizes the connection in the handshake; a token authorizes it with a
        // request.
        peer.certificate == nil ? 1 : configuration.streamLimit
    }

    func plan(_ request: GatewayRequest) -> ScheduledReply {
        if GatewayControl.isControl(request) {
            return ScheduledReply(delay: .zero) {
                GatewayReply(APNsControl(service: self).answer(request))
            }
        }
        // APNs speaks HTTP/2 only; HTTP/1.1 is for the simulator's own requests.
        guard request.isHTTP2 else {
            return ScheduledReply(delay: .zero) { GatewayReply(.dropConnection) }
        }
        return desk.plan(
            address: (try? APNsRequestForm.deviceToken(request)) ?? "",
            refusal: { Self.refusal($0, $1, request, now: $2) },
            judge: { self.judge(request, now: $0) }
        )
    }

    private func judge(_ request: GatewayRequest, now date: Date) -> GatewayReply {
        let id = request.header("apns-id") ?? UUID().uuidString.lowercased()
        do {
            let push = try accept(request, id: id, now: date)
            try writeDown(push)
            desk.accept(push, now: date)
            var headers = [(name: "apns-id", value: push.id)]
            if push.environment == .sandbox {
                headers.append((name: "apns-unique-id", value: UUID().uuidString.lowercased()))
            }
            var answer = GatewayReply(GatewayResponse(status: 200, headers: headers))
            answer.streamLimit = newStreamLimit(request.peer)
            return answer
        } catch {
            return GatewayReply(Self.response(error, id: id))
        }
    }

    /// Records the push; one that cannot be recorded (the disk is full) is not accepted.
    private func writeDown(_ push: SimulatedPush) throws(APNsErrorReply) {
        do {
            try recordFile?.write(push)
        } catch {
            throw APNsErrorReply(500, "InternalServerError")
        }
    }

    /// The stream limit to announce if this is the connection's first accepted request.
    private func newStreamLimit(_ peer: GatewayPeer) -> Int? {
        guard peer.certificate == nil else { return nil }
        return peer.state.withLock { state in
            guard !state.isAuthorised else { return nil }
            state.isAuthorised = true
            return configuration.streamLimit
        }
    }

    private func accept(
        _ request: GatewayRequest,
        id: String,
        now date: Date
    ) throws(APNsErrorReply) -> SimulatedPush {
        let token = try APNsRequestForm.deviceToken(request)
        let permission = try authorise(request, now: date)
        let form = try APNsRequestForm(request, deviceToken: token)
        guard let topic = form.topic ?? permission.defaultTopic else {
            throw APNsErrorReply(400, "MissingTopic")
        }
        let bundleID = form.bundleID(in: topic)
        if let allowed = permission.bundleIDs, !allowed.contains(bundleID) {
            throw APNsErrorReply(400, "TopicDisallowed")
        }
        if permission.isCertificate, ["liveactivity", "location"].contains(form.pushType) {
            throw APNsErrorReply(400, "InvalidPushType")
        }
        let environment = try checkDevice(form, bundleID: bundleID, request.peer)
        return SimulatedPush(
            id: id,
            deviceToken: token,
            topic: topic,
            environment: environment,
            pushType: form.pushType,
            priority: form.priority,
            expiration: form.expiration,
            collapseID: form.collapseID,
            payload: request.body,
            receivedAt: date
        )
    }

    private func checkDevice(
        _ form: APNsRequestForm,
        bundleID: String,
        _ peer: GatewayPeer
    ) throws(APNsErrorReply) -> APNsEnvironment {
        let (device, listening) = state.withLock { state in
            (state.devices[form.deviceToken], state.environments[peer.localPort])
        }
        guard APNsDeviceRegistry.isToken(form.deviceToken) else { throw .badDeviceToken }
        guard let device else {
            if configuration.acceptsAnyDevice { return listening ?? .production }
            throw .badDeviceToken
        }
        if let listening, listening != device.environment { throw .badDeviceToken }
        guard device.bundleID == bundleID else {
            throw APNsErrorReply(400, "DeviceTokenNotForTopic")
        }
        if let goneAt = device.goneAt {
            throw APNsErrorReply(410, device.goneReason, goneAt: goneAt)
        }
        return device.environment
    }

    // MARK: - Permission

    private struct Permission {
        var isCertificate = false
        var defaultTopic: String?
        /// `nil` means any.
        var bundleIDs: Set<String>?
    }

    private func authorise(
        _ request: GatewayRequest,
        now date: Date
    ) throws(APNsErrorReply) -> Permission {
        if let certificate = request.peer.certificate {
            return try authorise(certificate, request.peer, now: date)
        }
        guard let authorization = request.header("authorization") else {
            throw APNsErrorReply(403, "MissingProviderToken")
        }
        if configuration.acceptsAnyKey { return Permission() }
        let (verdict, listening) = state.withLock { state in
            (
                state.judge.judge(authorization, now: date),
                state.environments[request.peer.localPort]
            )
        }
        let token = try verdict.get()
        let limit = configuration.providerTokensPerConnection
        let (team, isTaken) = request.peer.state.withLock { state in
            let team = state.team ?? token.teamID
            state.team = team
            guard team == token.teamID else { return (team, false) }
            return (team, state.tokens.admit(token.text, limit: limit, now: date))
        }
        guard team == token.teamID else { throw APNsErrorReply(403, "UnrelatedKeyIdInToken") }
        guard isTaken else { throw .tooManyProviderTokenUpdates }
        if let listening, !token.environments.contains(listening) {
            throw APNsErrorReply(403, "BadEnvironmentKeyIdInToken")
        }
        return Permission(bundleIDs: token.topics)
    }

    private func authorise(
        _ certificate: Certificate,
        _ peer: GatewayPeer,
        now date: Date
    ) throws(APNsErrorReply) -> Permission {
        guard let bundleID = AppleCertificateField.bundleID(of: certificate),
            certificate.notValidBefore <= date, date < certificate.notValidAfter
        else { throw APNsErrorReply(403, "BadCertificate") }
        let environments = AppleCertificateField.environments(of: certificate)
        let listening = state.withLock { $0.environments[peer.localPort] }
        if let listening {
            let needed: PushCertificateEnvironments =
                listening == .production ? .production : .sandbox
            guard environments.contains(needed) else {
                throw APNsErrorReply(403, "BadCertificateEnvironment")
            }
        }
        let coversSeveral = certificate.extensions[oid: AppleCertificateField.topics] != nil
        return Permission(
            isCertificate: true,
            defaultTopic: coversSeveral ? nil : bundleID,
            bundleIDs: [bundleID]
        )
    }

    // MARK: - Answers

    private static func response(_ refusal: APNsErrorReply, id: String) -> GatewayResponse {
        GatewayResponse(
            status: refusal.status,
            headers: [
                (name: "apns-id", value: id), (name: "content-type", value: "application/json"),
            ],
            body: refusal.body
        )
    }

    /// The response to a fault.
    private static func refusal(
        _ status: Int,
        _ fault: Fault,
        _ request: GatewayRequest,
        now date: Date
    ) -> GatewayResponse {
        var goneAt: Date?
        if status == 410 {
            goneAt = fault.timestamp.map { Date(timeIntervalSince1970: Double($0) / 1000) } ?? date
        }
        let refusal = APNsErrorReply(status, fault.reason ?? "InternalServerError", goneAt: goneAt)
        return response(refusal, id: request.header("apns-id") ?? UUID().uuidString.lowercased())
    }
}
