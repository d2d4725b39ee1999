import Devices
import Foundation
import Gateways
import Model

/// Lets virtual phones register with the APNs simulator and get their pushes from it.
struct SimulatedPushService: PushService {
    let simulator: APNsSimulator

    func register(topic: String, device: UUID) async throws -> Data {
        // The same device and app keep their token, as on a phone: 32 bytes derived from both.
        var bytes = Data()
        withUnsafeBytes(of: device.uuid) { bytes.append(contentsOf: $0) }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in topic.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for _ in 0..<2 {
            withUnsafeBytes(of: hash.bigEndian) { bytes.append(contentsOf: $0) }
            hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ hash >> 31
        }
        simulator.registerDevice(token: Self.hex(bytes), bundleID: topic, environment: .sandbox)
        return bytes
    }

    func pushes(for token: Data) async -> AsyncStream<PhonePush> {
        let pushes = simulator.pushes(for: Self.hex(token))
        return AsyncStream { continuation in
            let work = Task {
                for await push in pushes {
                    continuation.yield(
                        PhonePush(
                            payload: Data(push.payload),
                            id: UUID(uuidString: push.id) ?? UUID(),
                            collapseID: push.collapseID
                        )
                    )
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    private static func hex(_ bytes: Data) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
