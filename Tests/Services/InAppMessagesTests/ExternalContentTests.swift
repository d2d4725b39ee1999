import Audience
import ContentTesting
import Foundation
import InAppMessages
import Liquid
import Logging
import Model
import NoroshiWire
import Ports
import Reasons
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("In-app messages with Connected Content and catalogs")
struct ExternalContentTests {
    private static let now = Date(timeIntervalSince1970: 1_789_999_200)

    private struct World {
        var store: SQLStore
        var service: InAppMessageService
        var app: App
        var phone: UUID

        /// Stores an active message.
        func show(_ name: String, _ text: String) async throws {
            var stored = service.blank(in: app.workspace)
            stored.name = name
            stored.state = .active
            stored.message.message = text
            stored.message.rules.triggers = [.sessionStart]
            try await service.create(stored, by: .commandLine(account: "mio", app.workspace))
        }

        /// The texts that the phone of "ada" gets.
        func texts() async throws -> [String] {
            try await service.messages(for: phone, user: "ada", of: app).map(\.message)
        }
    }

    private func withWorld(
        _ fetcher: any ContentFetcher,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in
            try await Task.sleep(for: .seconds(3600))
        },
        _ body: (World) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-in-app-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let now: @Sendable () -> Date = { Self.now }
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        let phone = try await conformance.register("ada", token: "a1", in: fixture)
        try await body(
            World(
                store: store,
                service: InAppMessageService(
                    store: store,
                    audience: SegmentationService(
                        store: store,
                        now: now,
                        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                    ),
                    fetcher: fetcher,
                    sleep: sleep,
                    now: now
                ),
                app: fixture.app,
                phone: phone
            )
        )
    }

    private static let call = "{% connected_content https://tea.example/{{${user_id}}} :save it %}"

    @Test("services and catalogs are asked for the user whose device asks; the order stays")
    func asks() async throws {
        let fetcher = AddressFetcher()
        try await withWorld(fetcher) { world in
            try await world.store.createCatalog(
                Catalog(
                    workspace: world.app.workspace,
                    name: "teas",
                    fields: [
                        Catalog.Field(name: "id", type: .string),
                        Catalog.Field(name: "name", type: .string),
                    ],
                    updatedAt: Self.now
                ),
                noting: nil,
                now: Self.now
            )
            _ = try await world.store.saveCatalogItems(
                [CatalogItem(id: "green", values: ["name": "Green tea"])],
                as: .add,
                in: "teas",
                of: world.app.workspace,
                noting: nil,
                now: Self.now
            )
            try await world.show("A", Self.call + "{{it.from}}")
            try await world.show("B", "Hello")
            try await world.show("C", "{% catalog_items teas green %}{{items[0].name}}")
            #expect(
                try await world.texts() == ["https://tea.example/ada", "Hello", "Green tea"]
            )
            #expect(fetcher.urls == ["https://tea.example/ada"])
        }
    }

    @Test(
        "a message that a service refuses or has no answer for is left out, the others are shown",
        arguments: [ContentFetchError.refused(.noCallInReview), .unavailable(.noAnswer)]
    )
    func failing(_ failure: ContentFetchError) async throws {
        try await withWorld(AddressFetcher(failure: failure)) { world in
            try await world.show("A", Self.call + "{{it.from}}")
            try await world.show("B", "Hello")
            #expect(try await world.texts() == ["Hello"])
        }
    }

    @Test("a message that names a catalog which does not exist is left out")
    func missing() async throws {
        try await withWorld(AddressFetcher()) { world in
            try await world.show("A", "{% catalog_items cups green %}{{items[0].name}}")
            try await world.show("B", "Hello")
            #expect(try await world.texts() == ["Hello"])
        }
    }

    /// Answers nothing before its caller gives up.
    private struct SilentFetcher: ContentFetcher {
        let asked: AsyncStream<Void>.Continuation

        func fetch(
            _ request: ConnectedContentRequest,
            for workspace: WorkspaceID
        ) async throws -> ConnectedContentResponse {
            asked.yield()
            try await Task.sleep(for: .seconds(3600))
            throw ContentFetchError.unavailable(.noAnswer)
        }
    }

    @Test("a device waits only so long, and gets what is ready; a later request asks again")
    func patience() async throws {
        let (asked, continuation) = AsyncStream<Void>.makeStream()
        let waited = Mutex<[Duration]>([])
        try await withWorld(
            SilentFetcher(asked: continuation),
            sleep: { duration in
                waited.withLock { $0.append(duration) }
                // The time is over once both calls have been made.
                var calls = asked.makeAsyncIterator()
                for _ in 0..<2 { await calls.next() }
            }
        ) { world in
            try await world.show("A", Self.call + "{{it.from}}")
            try await world.show("B", "Hello")
            try await world.show("C", Self.call + "{{it.from}}!")
            for _ in 0..<2 { #expect(try await world.texts() == ["Hello"]) }
            #expect(waited.withLock { $0 } == [.seconds(4), .seconds(4)])
        }
    }

    @Test("more messages than are asked for at once are all answered")
    func many() async throws {
        try await withWorld(AddressFetcher()) { world in
            for index in 0..<20 {
                let call = "{% connected_content https://tea.example/\(index) :save it %}"
                try await world.show("\(index)", call + "{{it.from}}")
            }
            #expect(
                try await world.texts() == (0..<20).map { "https://tea.example/\($0)" }
            )
        }
    }

    @Test("the preview of a member shows what the service answers, or why there is nothing")
    func preview() async throws {
        for failure in [nil, ContentFetchError.refused(.noHostAddress, ["host": "tea.example"])] {
            try await withWorld(AddressFetcher(failure: failure)) { world in
                var stored = world.service.blank(in: world.app.workspace)
                stored.message.message = Self.call + "{{it.from}}"
                let preview = try await world.service.preview(stored, for: "ada")
                if failure == nil {
                    #expect(preview.message.message == "https://tea.example/ada")
                    #expect(preview.problems.isEmpty)
                } else {
                    #expect(
                        preview.problems.map(\.message) == [
                            "ConnectedContent: tea.example has no address"
                        ]
                    )
                }
            }
        }
    }
}
