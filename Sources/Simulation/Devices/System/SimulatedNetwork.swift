import Foundation
import NoroshiOutbox

/// The phone's network: a transport that fails while the phone is offline.
final class SimulatedNetwork: NoroshiTransport {
    private let transport: any NoroshiTransport
    private let isOnline = Locked(true)

    init(_ transport: any NoroshiTransport) {
        self.transport = transport
    }

    func set(isOnline: Bool) {
        self.isOnline.withLock { $0 = isOnline }
    }

    func send(_ request: NoroshiRequest) async throws -> NoroshiResponse {
        guard isOnline.withLock({ $0 }) else {
            throw NoroshiError(code: .network, message: "the phone is offline")
        }
        return try await transport.send(request)
    }
}
