import Foundation
import Model
import Synchronization

/// The requests for controlling the APNs simulator.
struct APNsControl {
    private struct DeviceRequest: Decodable {
        var topic: String
        var environment: APNsEnvironment?
        var token: String?
    }

    private struct KeyRequest: Decodable {
        var team_id: String
        var key_id: String
        var public_key: String
    }

    let service: APNsSimulatorService

    func answer(_ request: GatewayRequest) -> GatewayResponse {
        let known = "POST devices, DELETE devices/TOKEN, POST keys"
        return service.desk.control(request, known: known) { method, parts in
            switch (method, parts.first, parts.count) {
            case ("POST", "devices", 1):
                return try registerDevice(request)
            case ("DELETE", "devices", 2):
                let date = service.desk.now()
                let token = parts[1].lowercased()
                service.state.withLock { state in
                    state.devices.retire(token, reason: "Unregistered", at: date)
                }
                service.desk.forget(token)
                return GatewayResponse(status: 204)
            case ("POST", "keys", 1):
                return try registerKey(request)
            default:
                return nil
            }
        }
    }

    private func registerDevice(_ request: GatewayRequest) throws -> GatewayResponse {
        let wanted = try GatewayControl.read(DeviceRequest.self, request)
        let token = (wanted.token ?? APNsDeviceRegistry.makeToken()).lowercased()
        guard APNsDeviceRegistry.isToken(token) else {
            throw GatewayControlError(description: "token is 1 to 200 hexadecimal digits")
        }
        service.state.withLock { state in
            state.devices.register(
                token,
                bundleID: wanted.topic,
                environment: wanted.environment ?? .production
            )
        }
        return GatewayControl.json(["token": token], status: 201)
    }

    private func registerKey(_ request: GatewayRequest) throws -> GatewayResponse {
        let wanted = try GatewayControl.read(KeyRequest.self, request)
        let key: APNsSigningKey
        do {
            key = try APNsSigningKey(
                teamID: wanted.team_id,
                keyID: wanted.key_id,
                publicKeyPEM: wanted.public_key
            )
        } catch {
            throw GatewayControlError(description: "public_key is not a P-256 public key in PEM")
        }
        service.state.withLock { $0.judge.register(key) }
        return GatewayResponse(status: 201)
    }
}
