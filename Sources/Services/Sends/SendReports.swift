import Analytics
import Audience
import Campaigns
import Foundation
import Model
import Ports

/// Reports on sends: in lists, one by one, and live.
package struct SendReports: Sendable {
    private static let latestLimit = 50

    let store: any Store
    private let choices: AudienceChoiceService
    let figures: ReportCache
    private let feed: ChangeFeed
    let now: @Sendable () -> Date

    package init(
        store: any Store,
        choices: AudienceChoiceService,
        figures: ReportCache,
        feed: ChangeFeed,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.choices = choices
        self.figures = figures
        self.feed = feed
        self.now = now
    }

    // MARK: Lists

    /// The sends of a workspace, the newest first, and the total number on all pages.
    ///
    /// - Parameter query: Which of them; its rows are those of the page.
    package func history(
        of workspace: WorkspaceID,
        matching query: SendQuery = SendQuery(),
        page: ListPage
    ) async throws -> (reports: [SendReport], total: Int) {
        var query = query
        query.limit = page.size
        query.offset = page.offset
        let found = try await store.sends(in: workspace, matching: query)
        return (try await reports(of: found.sends), found.total)
    }

    /// The newest sends in some states.
    package func latest(
        of workspace: WorkspaceID,
        in states: Set<SendState>,
        limit: Int
    ) async throws -> [SendReport] {
        let query = SendQuery(states: states, limit: limit)
        return try await reports(of: store.sends(in: workspace, matching: query).sends)
    }

    /// - Parameter areExact: Whether to recount even recently cached counts.
    package func reports(
        of sends: [Send],
        areExact: Bool = false
    ) async throws -> [SendReport] {
        let counts = try await counts(of: sends.map(\.id), areExact: areExact)
        var reports: [SendReport] = []
        for send in sends {
            reports.append(
                SendReport(
                    send: send,
                    counts: counts[send.id] ?? SendCounts(),
                    audience: try await choices.choice(of: send.content.audience)
                )
            )
        }
        return reports
    }

    private func counts(
        of sends: [SendID],
        areExact: Bool
    ) async throws -> [SendID: SendCounts] {
        var counts: [SendID: SendCounts] = [:]
        if !areExact {
            for send in sends { counts[send] = figures.known(.send(send), "counts") }
        }
        let missing = sends.filter { counts[$0] == nil }
        guard !missing.isEmpty else { return counts }
        let start = ContinuousClock.now
        for (send, found) in try await store.counts(of: missing) {
            counts[send] = found
            figures.keep(found, of: .send(send), "counts", since: start)
        }
        return counts
    }

    // MARK: One send

    /// `nil` if the send does not exist or belongs to another workspace.
    package func send(_ id: SendID, in workspace: WorkspaceID) async throws -> Send? {
        let send = try await store.send(id)
        return send?.workspace == workspace ? send : nil
    }

    package func report(
        _ id: SendID,
        in workspace: WorkspaceID,
        isExact: Bool = false
    ) async throws -> SendReport? {
        guard let send = try await send(id, in: workspace) else { return nil }
        return try await reports(of: [send], areExact: isExact).first
    }

    package func ledger(of send: Send) async throws -> SendLedger {
        let pages = send.content.sentMessages.compactMap(\.story?.count).max() ?? 0
        return try await figures.value(of: .send(send.id), "ledger") {
            let opens = try await store.storyOpens(of: send.id)
            return SendLedger(
                failures: try await store.failureReasons(of: send.id),
                latest: try await store.dispatches(of: send.id, limit: Self.latestLimit),
                storyOpens: (0..<pages).map { opens[$0 + 1] ?? 0 },
                isRemoved: try await store.isRemoved(send.id)
            )
        }
    }

    /// Whether the workspace no longer keeps who got a send.
    package func isRemoved(_ send: SendID) async throws -> Bool {
        try await store.isRemoved(send)
    }

    /// The dispatches of a send after a device of an earlier page.
    package func dispatches(
        of send: SendID,
        matching filter: DispatchFilter,
        after device: DeviceID?,
        limit: Int
    ) async throws -> [DispatchListRow] {
        try await store.dispatchList(of: send, matching: filter, after: device, limit: limit)
    }

    /// Every change of a send's counts or state, live.
    package func changes(in workspace: WorkspaceID) -> AsyncStream<SendReport> {
        let changes = feed.changes()
        return AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let work = Task {
                for await change in changes {
                    guard case .send(let id, let owner) = change, owner ?? workspace == workspace
                    else { continue }
                    // A page that misses a change gets the next one, or is correct after a reload.
                    guard let report = try? await report(id, in: workspace, isExact: true)
                    else { continue }
                    continuation.yield(report)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }
}
