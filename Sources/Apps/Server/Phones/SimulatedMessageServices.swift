import Devices
import Foundation
import Gateways
import NoroshiWire

/// Lets virtual Android phones register with the FCM simulator and get their messages from it.
struct SimulatedFirebase: MessageService {
    let simulator: FCMSimulator
    let project: String

    func register(device: UUID) async throws -> MessageRegistration {
        // The same device keeps its token.
        let token = "demo-\(device.uuidString.lowercased()):APA91b"
        simulator.registerDevice(project: project, token: token)
        return .firebase(token: token)
    }

    func messages(for registration: MessageRegistration) async -> AsyncStream<PhoneMessage> {
        guard case .firebase(let token) = registration else { return AsyncStream { $0.finish() } }
        return simulator.pushes(for: token).mapped(Self.message)
    }

    private static func message(_ push: SimulatedFCMMessage) -> PhoneMessage {
        let shown = push.message["notification"]
        let marker = push.data[PushPayloadKey.marker].flatMap {
            try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
        return PhoneMessage(
            data: push.data,
            title: shown?["title"]?.stringValue ?? push.data["title"] ?? "",
            body: shown?["body"]?.stringValue ?? push.data["body"] ?? "",
            tag: push.collapseKey ?? marker?[PushPayloadKey.dispatchID]?.stringValue ?? push.name
        )
    }
}

/// Lets virtual browsers subscribe to the Web Push simulator, which decrypts for them as a browser
/// does.
struct SimulatedBrowserPush: MessageService {
    let simulator: WebPushSimulator
    let applicationServerKey: String?

    func register(device: UUID) async throws -> MessageRegistration {
        let subscription = simulator.subscribe(applicationServerKey: applicationServerKey)
        return .webPush(
            endpoint: subscription.endpoint,
            publicKey: subscription.publicKey,
            authenticationSecret: subscription.authenticationSecret
        )
    }

    func messages(for registration: MessageRegistration) async -> AsyncStream<PhoneMessage> {
        guard case .webPush(let endpoint, _, _) = registration else {
            return AsyncStream { $0.finish() }
        }
        return simulator.pushes(for: endpoint).mapped(Self.message)
    }

    /// The content that a service worker reads; `nil` if it cannot be decrypted or is not JSON.
    private static func message(_ push: SimulatedWebPush) -> PhoneMessage? {
        guard let content = push.content,
            let root = try? JSONDecoder().decode(JSONValue.self, from: Data(content)),
            let members = root.objectValue
        else { return nil }
        var data = members.compactMapValues(\.stringValue)
        if let marker = root[PushPayloadKey.marker],
            let text = try? JSONEncoder().encode(marker)
        {
            data[PushPayloadKey.marker] = String(decoding: text, as: UTF8.self)
        }
        let shown = root["notification"]
        let actions = shown?["actions"]?.arrayValue ?? []
        return PhoneMessage(
            data: data,
            title: shown?["title"]?.stringValue ?? "",
            body: shown?["body"]?.stringValue ?? "",
            tag: shown?["tag"]?.stringValue ?? push.location,
            badge: root["app_badge"]?.integerValue.map { Int(clamping: $0) },
            buttons: actions.compactMap { action in
                guard let id = action["action"]?.stringValue,
                    let title = action["title"]?.stringValue
                else { return nil }
                return (id, title)
            }
        )
    }
}

extension AsyncStream where Element: Sendable {
    /// The non-nil results of `transform`, for as long as the stream is read.
    fileprivate func mapped<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Result?
    ) -> AsyncStream<Result> {
        AsyncStream<Result> { continuation in
            let work = Task {
                for await element in self {
                    if let result = transform(element) { continuation.yield(result) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }
}
