import Foundation
import Synchronization

/// The rules of FCM: what is answered to a request.
final class FCMSimulatorService: GatewayService {
    struct Device {
        var project: String
        var isGone = false
    }

    struct State {
        var origin = ""
        var accounts = FCMAccountRegistry()
        var devices: [String: Device] = [:]
        var mailbox: GatewayMailbox<SimulatedFCMMessage>
    }

    private struct DeviceRequest: Decodable {
        var project: String
        var token: String?
    }

    private struct AccountRequest: Decodable {
        var project: String
    }

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
        if request.path == "/token" {
            return GatewayPlan(delay: .zero) { GatewayAnswer(self.exchange(request, now: date)) }
        }
        let form = Result { () throws(FCMRefusal) in try FCMMessageForm(request.body) }
        let token = (try? form.get().token) ?? ""
        let (latency, fault) = faults.next(token: token, now: date)
        let delay = latency + .milliseconds(fault?.delayMilliseconds ?? 0)
        return GatewayPlan(delay: delay) {
            if let fault, let answer = Self.play(fault) { return answer }
            do throws(FCMRefusal) {
                return GatewayAnswer(try self.accept(request, form, now: date))
            } catch {
                return GatewayAnswer(error.response)
            }
        }
    }

    func makeServiceAccount(project: String, privateKeyPEM: String? = nil) throws -> [UInt8] {
        try state.withLock { state in
            try state.accounts.makeAccount(
                project: project,
                privateKeyPEM: privateKeyPEM,
                tokenURI: "\(state.origin)/token"
            )
        }
    }

    func registerDevice(project: String, token: String?) -> String {
        // The form of real tokens: an instance, a colon, and a long text.
        let token =
            token
            ?? Base64Text.encode((0..<16).map { _ in UInt8.random(in: 0...255) })
            + ":APA91b"
            + Base64Text.encode((0..<96).map { _ in UInt8.random(in: 0...255) })
        state.withLock { $0.devices[token] = Device(project: project) }
        return token
    }

    func unregisterDevice(token: String) {
        state.withLock { state in
            state.devices[token]?.isGone = true
            state.mailbox.forget(token)
        }
    }

    func pushes(for token: String) -> AsyncStream<SimulatedFCMMessage> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.waitingPushes)) { continuation in
            let id = state.withLock { state in
                state.mailbox.listen(to: token, now: now(), continuation)
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.mailbox.stopListening(id, to: token) }
            }
        }
    }

    // MARK: - Requests

    private func exchange(_ request: GatewayRequest, now date: Date) -> GatewayResponse {
        guard request.method == "POST" else { return GatewayResponse(status: 405) }
        return state.withLock { state in
            state.accounts.exchange(
                form: String(decoding: request.body, as: UTF8.self),
                tokenURI: "\(state.origin)/token",
                now: date
            )
        }
    }

    private func accept(
        _ request: GatewayRequest,
        _ form: Result<FCMMessageForm, FCMRefusal>,
        now date: Date
    ) throws(FCMRefusal) -> GatewayResponse {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[0] == "v1", parts[1] == "projects",
            parts[3] == "messages:send", request.method == "POST"
        else {
            throw FCMRefusal(code: 404, status: "NOT_FOUND", message: "No such method")
        }
        let project = parts[2]
        let permitted = state.withLock { state in
            state.accounts.project(authorization: request.header("authorization"), now: date)
        }
        guard let permitted else { throw .unauthenticated }
        guard permitted == project else {
            throw FCMRefusal(
                code: 403,
                status: "PERMISSION_DENIED",
                message: "Permission denied on project \(project)"
            )
        }
        let message = try form.get()
        guard let device = state.withLock({ $0.devices[message.token] }) else {
            throw FCMRefusal(
                code: 400,
                status: "INVALID_ARGUMENT",
                message: "The registration token is not a valid FCM registration token",
                errorCode: "INVALID_ARGUMENT"
            )
        }
        guard device.project == project else {
            throw FCMRefusal.named("SENDER_ID_MISMATCH", status: 403)
        }
        guard !device.isGone else { throw FCMRefusal.named("UNREGISTERED", status: 404) }
        let push = SimulatedFCMMessage(
            name: "projects/\(project)/messages/\(UUID().uuidString.lowercased())",
            project: project,
            deviceToken: message.token,
            collapseKey: message.collapseKey,
            priority: message.priority,
            timeToLive: message.timeToLive,
            data: message.data,
            message: message.message,
            receivedAt: date
        )
        if !message.isOnlyValidated { state.withLock { $0.mailbox.accept(push, now: date) } }
        return GatewayControl.json(["name": push.name])
    }

    private static func play(_ fault: Fault) -> GatewayAnswer? {
        if let ending = fault.ending { return GatewayAnswer(ending) }
        guard let status = fault.status else { return nil }
        var response = FCMRefusal.named(fault.reason ?? "INTERNAL", status: status).response
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
        do {
            switch (request.method, parts.first, parts.count) {
            case ("GET", "accepted", 1):
                let records = state.withLock { $0.mailbox.records }
                return GatewayControl.json(records.map(SimulatedFCMMessage.Record.init))
            case ("POST", "devices", 1):
                let wanted = try GatewayControl.read(DeviceRequest.self, request)
                let token = registerDevice(project: wanted.project, token: wanted.token)
                return GatewayControl.json(["token": token], status: 201)
            case ("DELETE", "devices", 2):
                unregisterDevice(token: parts[1])
                return GatewayResponse(status: 204)
            case ("POST", "accounts", 1):
                let wanted = try GatewayControl.read(AccountRequest.self, request)
                return GatewayControl.response(
                    201,
                    try makeServiceAccount(project: wanted.project)
                )
            default:
                return GatewayControl.problem(
                    """
                    known are GET accepted, POST accounts, POST devices, DELETE devices/TOKEN \
                    and PUT faults, below /simulator/
                    """,
                    status: 404
                )
            }
        } catch let error as GatewayControlError {
            return GatewayControl.problem(error.description)
        } catch {
            return GatewayControl.problem("\(error)", status: 500)
        }
    }
}
