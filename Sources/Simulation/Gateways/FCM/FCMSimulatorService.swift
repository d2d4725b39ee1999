import Foundation
import Synchronization

/// Implements the rules of FCM: the response to each request.
final class FCMSimulatorService: GatewayService {
    struct Device {
        var project: String
        var isGone = false
    }

    struct State {
        var origin = ""
        var accounts = FCMAccountRegistry()
        var devices: [String: Device] = [:]
    }

    private struct DeviceRequest: Decodable {
        var project: String
        var token: String?
    }

    private struct AccountRequest: Decodable {
        var project: String
    }

    private let desk: SimulatedGateway<SimulatedFCMMessage>
    private let streamLimit: Int
    let state = Mutex(State())

    init(desk: SimulatedGateway<SimulatedFCMMessage>, streamLimit: Int) {
        self.desk = desk
        self.streamLimit = streamLimit
    }

    func initialStreamLimit(for peer: GatewayPeer) -> Int { streamLimit }

    func plan(_ request: GatewayRequest) -> ScheduledReply {
        if GatewayControl.isControl(request) {
            return ScheduledReply(delay: .zero) { GatewayReply(self.control(request)) }
        }
        if request.path == "/token" {
            let date = desk.now()
            return ScheduledReply(delay: .zero) { GatewayReply(self.exchange(request, now: date)) }
        }
        let form = Result { () throws(FCMErrorReply) in try FCMMessageForm(request.body) }
        return desk.plan(
            address: (try? form.get().token) ?? "",
            refusal: { status, fault, _ in
                FCMErrorReply.named(fault.reason ?? "INTERNAL", status: status).response
            },
            judge: { date in
                do throws(FCMErrorReply) {
                    return GatewayReply(try self.accept(request, form, now: date))
                } catch {
                    return GatewayReply(error.response)
                }
            }
        )
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
        state.withLock { $0.devices[token]?.isGone = true }
        desk.forget(token)
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
        _ form: Result<FCMMessageForm, FCMErrorReply>,
        now date: Date
    ) throws(FCMErrorReply) -> GatewayResponse {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[0] == "v1", parts[1] == "projects",
            parts[3] == "messages:send", request.method == "POST"
        else {
            throw FCMErrorReply(code: 404, status: "NOT_FOUND", message: "No such method")
        }
        let project = parts[2]
        let permitted = state.withLock { state in
            state.accounts.project(authorization: request.header("authorization"), now: date)
        }
        guard let permitted else { throw .unauthenticated }
        guard permitted == project else {
            throw FCMErrorReply(
                code: 403,
                status: "PERMISSION_DENIED",
                message: "Permission denied on project \(project)"
            )
        }
        let message = try form.get()
        guard let device = state.withLock({ $0.devices[message.token] }) else {
            throw FCMErrorReply(
                code: 400,
                status: "INVALID_ARGUMENT",
                message: "The registration token is not a valid FCM registration token",
                errorCode: "INVALID_ARGUMENT"
            )
        }
        guard device.project == project else {
            throw FCMErrorReply.named("SENDER_ID_MISMATCH", status: 403)
        }
        guard !device.isGone else { throw FCMErrorReply.named("UNREGISTERED", status: 404) }
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
        if !message.isOnlyValidated { desk.accept(push, now: date) }
        return GatewayControl.json(["name": push.name])
    }

    // MARK: - The simulator's own requests

    private func control(_ request: GatewayRequest) -> GatewayResponse {
        let known = "POST accounts, POST devices, DELETE devices/TOKEN"
        return desk.control(request, known: known) { method, parts in
            switch (method, parts.first, parts.count) {
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
                return nil
            }
        }
    }
}
