import Devices
import Foundation

/// A push service without rules: what is sent to a token reaches its phone.
actor LocalPushService: PushService {
    private var listeners: [Data: AsyncStream<PhonePush>.Continuation] = [:]
    private var kept: [Data: [PhonePush]] = [:]
    private(set) var registrations: [String] = []

    func register(topic: String, device: UUID) async throws -> Data {
        registrations.append(topic)
        return withUnsafeBytes(of: device.uuid) { Data($0) } + Data(topic.utf8.prefix(16))
    }

    func pushes(for token: Data) async -> AsyncStream<PhonePush> {
        let (stream, continuation) = AsyncStream.makeStream(of: PhonePush.self)
        listeners[token] = continuation
        for push in kept.removeValue(forKey: token) ?? [] { continuation.yield(push) }
        return stream
    }

    func send(_ push: PhonePush, to token: Data) {
        if let listener = listeners[token] {
            listener.yield(push)
        } else {
            kept[token, default: []].append(push)
        }
    }
}
