import ClientTesting
import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import NoroshiWire

/// An app with the SDK on a device without a screen, a clock that is moved by hand and a server in
/// the same process.
final class SDKFixture: Sendable {
    let folder: TemporaryFolder
    let clock = ManualClock()
    let ingest = Ingest()
    let opened = Locked<[URL]>([])
    let openedInApp = Locked<[URL]>([])
    /// A link that the system takes its time to open.
    let slowLink = Locked<URL?>(nil)
    let hasScreen = Locked(true)
    let isActive = Locked(true)
    let authorization = Locked("authorized")
    let lines = Locked<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A launch of the app: the container stays, everything else begins anew.
    func launch(_ change: (inout Noroshi.Configuration) -> Void = { _ in }) -> Noroshi {
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        let lines = lines
        configuration.logger = NoroshiLogger { line, _ in lines.withLock { $0.append(line) } }
        change(&configuration)
        let clock = clock
        let opened = opened
        let openedInApp = openedInApp
        let slowLink = slowLink
        let hasScreen = hasScreen
        let isActive = isActive
        let authorization = authorization
        return Noroshi(
            configuration: configuration,
            dependencies: Noroshi.Dependencies(
                now: { clock.now },
                transport: ingest,
                device: NoroshiDevice(platform: "linux")
            ),
            platform: NoroshiPlatform(
                open: { url in
                    // So long that another link would be opened before it, if one may.
                    for _ in 0..<40 where slowLink.withLock({ $0 }) == url {
                        guard opened.withLock({ $0.isEmpty }) else { break }
                        try? await Task.sleep(nanoseconds: 5_000_000)
                    }
                    opened.withLock { $0.append(url) }
                    return true
                },
                openInApp: { url in
                    guard hasScreen.withLock({ $0 }) else { return false }
                    openedInApp.withLock { $0.append(url) }
                    return true
                },
                setBadge: { _ in },
                pushAuthorization: { authorization.withLock { $0 } },
                isActive: { isActive.withLock { $0 } },
                observeLifecycle: { _, _ in {} }
            )
        )
    }

    /// The payload of a push as FCM carries it.
    static func message(
        dispatch: UUID = UUID(),
        marker: [String: JSONValue] = [:],
        values: [String: String] = ["push_no": "7"]
    ) throws -> [String: String] {
        let object = marker.merging(["dispatch_id": .string(dispatch.uuidString)]) { $1 }
        let text = String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
        return values.merging(["noroshi": text]) { $1 }
    }
}
