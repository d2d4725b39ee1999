import Foundation
import Model
import NoroshiWire
import Ports
import Reports
import Segments
import StoreSQL
import Testing

@testable import Audience

/// A workspace in a database of its own, with reports that make tables of properties.
struct PropertyTableWorld {
    let store: SQLStore
    let workspace: WorkspaceID
    let app: AppID
    let audience: SegmentationService
    let reports: ReportService

    static func with(
        now: Int64 = ServiceTests.now,
        policy: ColumnPolicy = ColumnPolicy(),
        _ body: (PropertyTableWorld) async throws -> Void
    ) async throws {
        try await ServiceTests.withStore { store in
            let (workspace, app) = try await ServiceTests.workspace(store, "tea")
            let audience = ServiceTests.service(store, now: now, policy: policy)
            try await audience.rebuild()
            let reports = ReportService(audience: audience) {
                Date(timeIntervalSince1970: TimeInterval(now))
            }
            try await body(
                PropertyTableWorld(
                    store: store,
                    workspace: workspace,
                    app: app.id,
                    audience: audience,
                    reports: reports
                )
            )
        }
    }

    /// The engine that a report without tables has.
    func rows() async throws -> ReportEngine {
        var columns = try await audience.columns(of: workspace)
        columns.tables = [:]
        return ReportEngine(
            columns: columns,
            source: try await store.audienceView().rows(of: workspace),
            time: try await audience.time(of: .now, in: workspace),
            workers: 2
        )
    }

    /// The activities that have a table.
    func tables() async throws -> Set<Activity> {
        Set(try await audience.columns(of: workspace).tables.keys)
    }

    func hasTables(_ names: Set<String>, of event: String) -> Bool {
        var properties = ActivityProperties()
        properties.add(names, of: .event(event))
        return audience.hasTables(for: properties, in: workspace)
    }

    /// Stores an event of each of so many users, an hour ago.
    func track(
        _ users: Range<Int64>,
        _ event: String,
        _ properties: (Int64) -> [String: JSONValue]
    ) async throws {
        let now = TimeInterval(ServiceTests.now)
        let items = users.map { user in
            IngestItem(
                recordID: nil,
                user: .external("u\(user)"),
                time: Date(timeIntervalSince1970: now - 3_600),
                content: .event(name: event, properties: EventProperties(properties(user)))
            )
        }
        _ = try await store.ingest(
            [IngestRequest(workspace: workspace, source: .api, items: items)],
            now: Date(timeIntervalSince1970: now)
        )
    }

    /// A count of events by day, of one name, by a property.
    static func series(_ event: String, by name: String) -> SeriesQuestion {
        SeriesQuestion(
            period: ReportPeriod(
                .day,
                length: 2,
                endingAt: Date(timeIntervalSince1970: TimeInterval(ServiceTests.now)),
                in: .gmt
            ),
            figure: .activity(ReportActivity(.event(event))),
            breakdown: ReportBreakdown(.property(RandomReports.path(name)))
        )
    }

    /// A report that looks at a property, which has to be what the rows say.
    ///
    /// - Returns: The total.
    @discardableResult
    func check(_ event: String, by name: String) async throws -> Int128 {
        let question = Self.series(event, by: name)
        let answer = try await reports.series(question, in: workspace)
        #expect(try await answer == rows().series(question))
        return answer.line.whole.total
    }
}
