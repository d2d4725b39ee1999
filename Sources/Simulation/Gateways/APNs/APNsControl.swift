import Foundation
import Model
import Synchronization

/// The APNs simulator's own requests.
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
        if let response = GatewayControl.common(
            request,
            faults: service.faults,
            now: service.now()
        ) {
            return response
        }
        let parts = GatewayControl.parts(request)
        do {
            switch (request.method, parts.first, parts.count) {
            case ("GET", "accepted", 1):
                let records = service.state.withLock { $0.mailbox.records }
                return GatewayControl.json(records.map(SimulatedPush.Record.init))
            case ("POST", "devices", 1):
                return try registerDevice(request)
            case ("DELETE", "devices", 2):
                let date = service.now()
                service.state.withLock { state in
                    state.devices.retire(parts[1].lowercased(), reason: "Unregistered", at: date)
                    state.mailbox.forget(parts[1].lowercased())
                }
                return GatewayResponse(status: 204)
            case ("POST", "keys", 1):
                return try registerKey(request)
            default:
                return GatewayControl.problem(
                    """
                    known are GET accepted, POST devices, DELETE devices/TOKEN, POST keys and \
                    PUT faults, below /simulator/
                    """,
                    status: 404
                )
            }
        } catch let error as GatewayControlError {
            return GatewayControl.problem(error.description)
        } catch {
            return GatewayControl.problem("\(error)")
        }
    }

    private func registerDevice(_ request: GatewayRequest) throws -> GatewayResponse {
        let wanted = try GatewayControl.read(DeviceRequest.self, request)
        let token = (wanted.token ?? APNsDeviceRegistry.makeToken()).lowercased()
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
