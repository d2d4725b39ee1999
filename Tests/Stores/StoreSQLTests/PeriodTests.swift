import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

/// What happens at the moment at which one period ends and the next begins is of the next one.
@Suite("Periods include their start and exclude their end")
struct PeriodTests {
    private let moment = Date(timeIntervalSince1970: 1_790_000_000)

    private struct Place {
        var store: SQLStore
        var workspace: WorkspaceID
        var news: NewsID
        var message: UUID
    }

    /// A user who is new, begins a session, does something, reads news and sees a message, all at
    /// the moment.
    private func withPlace(_ body: (Place) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-periods-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        let workspace = fixture.workspace
        let news = try await store.createNews(
            NewsContent(title: "Open", text: "From Monday on"),
            author: "Ada",
            in: workspace,
            now: moment
        )
        let message = UUID()
        let contents: [IngestItem.Content] = [
            .sessionStarted, .event(name: "poured", properties: [:]),
            .event(name: "news_read", properties: ["news_id": .string("\(news.id)")]),
            .inAppMessage(
                .init(kind: .impression, message: message.uuidString.lowercased())
            ),
        ]
        let request = IngestRequest(
            workspace: workspace,
            source: .device(SDKDevice(id: UUID(), platform: "ios"), app: fixture.app.id),
            items: contents.map {
                IngestItem(recordID: UUID(), user: .external("ada"), time: moment, content: $0)
            }
        )
        _ = try await store.ingest([request], now: moment)
        try await body(
            Place(store: store, workspace: workspace, news: news.id, message: message)
        )
    }

    /// What each figure counts between the boundaries.
    private func counts(_ place: Place, _ boundaries: [Date]) async throws -> [String: [Int]] {
        let (store, workspace) = (place.store, place.workspace)
        let ada = try #require(try await store.profile(.external("ada"), in: workspace)).id
        let app = try #require(try await store.devices(of: ada).first).app
        let figures = try await store.figures(in: workspace, between: boundaries)
        return [
            "new users": try await store.newUsers(in: workspace, between: boundaries),
            "new users of a segment": try await store.newUsers(
                in: workspace,
                between: boundaries,
                filter: SeriesFilter(users: [ada])
            ),
            "new users of an app": try await store.newUsers(
                in: workspace,
                between: boundaries,
                filter: SeriesFilter(apps: [app])
            ),
            "sessions of the overview": figures.map(\.sessions),
            "new users of the overview": figures.map(\.newUsers),
            "events": try await store.eventCounts(
                of: ["poured"],
                in: workspace,
                between: boundaries
            )["poured"] ?? Array(repeating: 0, count: boundaries.count - 1),
            "news": try await store.newsReads(of: place.news, between: boundaries),
            "in-app messages": try await store.inAppMessageSteps(
                of: place.message,
                in: workspace,
                between: boundaries
            ).map(\.impressions),
        ]
    }

    @Test("of every figure that is counted between moments")
    func borders() async throws {
        let (before, after) = (moment.addingTimeInterval(-60), moment.addingTimeInterval(60))
        let cases: [([Date], [Int])] = [
            ([before, moment, after], [0, 1]), ([before, moment], [0]), ([moment, after], [1]),
            ([moment.addingTimeInterval(0.001), after], [0]),
            ([before, moment.addingTimeInterval(0.001)], [1]),
        ]
        try await withPlace { place in
            for (boundaries, expected) in cases {
                for (figure, found) in try await counts(place, boundaries) {
                    #expect(found == expected, "\(figure) between \(boundaries)")
                }
            }
        }
    }
}
