import ClientTesting
import Foundation
@_spi(Testing) import NoroshiExtensions
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import Testing
import UserNotifications

@Suite("The notification service extension")
struct ServiceTests {
    let folder: TemporaryFolder
    let ingest = Ingest()

    init() throws {
        folder = try TemporaryFolder()
    }

    private var configuration: NoroshiConfiguration {
        var configuration = NoroshiConfiguration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.logger.level = .disabled
        return configuration
    }

    private func request(attachment: String? = nil) -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = "Hello"
        var marker: [String: Any] = ["dispatch_id": UUID().uuidString]
        if let attachment { marker["attachment"] = ["url": attachment, "type": "png"] }
        content.userInfo = ["noroshi": marker, "push_no": "3"]
        return UNNotificationRequest(identifier: "n", content: content, trigger: nil)
    }

    private struct Shown: Sendable {
        var title: String
        var attachments: [URL]
        var names: [String]
    }

    private func show(
        _ request: UNNotificationRequest,
        transport: any NoroshiTransport,
        expire: Bool = false
    ) async -> Shown {
        let service = TestService(
            configuration: configuration,
            dependencies: NoroshiDependencies(transport: transport)
        )
        return await withCheckedContinuation { continuation in
            service.didReceive(request) { content in
                continuation.resume(
                    returning: Shown(
                        title: content.title,
                        attachments: content.attachments.map(\.url),
                        names: content.attachments.map(\.identifier)
                    )
                )
            }
            if expire { service.serviceExtensionTimeWillExpire() }
        }
    }

    @Test("the receipt is sent at once, and the app's own change is shown")
    func receipt() async throws {
        let shown = await show(request(), transport: ingest)
        #expect(shown.title == "Hello!")
        #expect(ingest.records.compactMap(\.push).map(\.kind) == [.received])
        #expect(ingest.records.first?.push?.pushNumber == 3)
    }

    /// The server never answers: without a deadline of its own the service would wait for ever.
    @Test(
        "without a server the notification is shown all the same, and the app sends the receipt",
        .timeLimit(.minutes(20))
    )
    func offline() async throws {
        _ = await show(request(), transport: SilentTransport())
        var later = configuration
        later.api.requestPolicy = .manual
        let app = Recorder(
            configuration: later,
            dependencies: NoroshiDependencies(transport: ingest)
        )
        await app.uploader.flush()
        #expect(ingest.records.compactMap(\.push).map(\.kind) == [.received])
    }

    @Test("an image is fetched and attached; what is no image is left out")
    func attachment() async throws {
        let image = Data([0x89, 0x50, 0x4E, 0x47])
        let server = try SocketServer { request in
            request.url.path == "/picture"
                ? NoroshiResponse(status: 200, headers: ["Content-Type": "image/png"], body: image)
                : NoroshiResponse(status: 404)
        }
        let shown = await show(request(attachment: server.endpoint + "/picture"), transport: ingest)
        let file = try #require(shown.attachments.first)
        #expect(file.pathExtension == "png")
        #expect(try Data(contentsOf: file) == image)
        let without = await show(
            request(attachment: server.endpoint + "/missing"),
            transport: ingest
        )
        #expect(without.attachments.isEmpty)
    }

    @Test("the pictures of a story are attached by page; one that is missing costs nothing else")
    func storyPictures() async throws {
        let server = try SocketServer { request in
            // Later pages come first.
            if request.url.path == "/1" { Thread.sleep(forTimeInterval: 0.2) }
            return request.url.path == "/2"
                ? NoroshiResponse(status: 404)
                : NoroshiResponse(
                    status: 200,
                    headers: ["Content-Type": "image/png"],
                    body: Data([0x89, 0x50, 0x4E, 0x47])
                )
        }
        let content = UNMutableNotificationContent()
        content.title = "Hello"
        content.userInfo = [
            "aps": ["category": "noroshi_story"],
            "noroshi": [
                "dispatch_id": UUID().uuidString,
                "story": (1...3).map { ["image": "\(server.endpoint)/\($0)"] },
            ] as [String: Any],
        ]
        let request = UNNotificationRequest(identifier: "n", content: content, trigger: nil)
        #expect(
            await show(request, transport: ingest).names == ["noroshi_story_1", "noroshi_story_3"]
        )
    }

    @Test("when the time expires the content is handed on at once, and only once")
    func expiry() async throws {
        let shown = await show(request(), transport: SilentTransport(), expire: true)
        #expect(shown.title == "Hello!")
    }

    @Test("foreign notifications pass unchanged")
    func foreign() async throws {
        let content = UNMutableNotificationContent()
        content.title = "Foreign"
        content.userInfo = ["other": "x"]
        let request = UNNotificationRequest(identifier: "f", content: content, trigger: nil)
        #expect(await show(request, transport: ingest).title == "Foreign")
        #expect(ingest.read(\.requests).isEmpty)
    }

    @Test("what is captured in a notification is in the profile at once, or after the next start")
    func captureFlow() async throws {
        let context = NoroshiExtensionContext(
            configuration: configuration,
            dependencies: NoroshiDependencies(transport: ingest)
        )
        var capture = NoroshiInformationCapture(kind: .email, title: "T")
        capture.type("ann@example.com")
        context.perform(capture.register())
        context.logCustomEvent(name: "registered", properties: ["where": "notification"])
        #expect(await context.flush(within: 2))
        #expect(ingest.records.compactMap(\.attributes) == [["email": "ann@example.com"]])
        #expect(ingest.records.compactMap(\.event?.name) == ["registered"])
    }
}

private final class TestService: NoroshiNotificationService {
    private let chosenConfiguration: NoroshiConfiguration
    private let chosenDependencies: NoroshiDependencies

    init(configuration: NoroshiConfiguration, dependencies: NoroshiDependencies) {
        chosenConfiguration = configuration
        chosenDependencies = dependencies
        super.init()
    }

    override var configuration: NoroshiConfiguration? { chosenConfiguration }
    override var dependencies: NoroshiDependencies { chosenDependencies }

    override func prepare(
        _ content: UNMutableNotificationContent,
        extras: [String: JSONValue],
        context: NoroshiExtensionContext
    ) {
        content.title += "!"
    }
}

/// A network that never answers.
private struct SilentTransport: NoroshiTransport {
    func send(_ request: NoroshiRequest) async throws -> NoroshiResponse {
        try await Task.sleep(nanoseconds: 60_000_000_000)
        throw NoroshiError(code: .network, message: "no answer")
    }
}
