import Foundation
import JSON
import Liquid
import Logging
import Model
import NoroshiWire
import Ports
import Reasons
import Reports
import ServiceLifecycle
import WorkLoops

/// Sends saved reports to their addresses every week.
///
/// An address is called as those of `connected_content` are: only where the server's settings allow
/// it, never inside the server's own network. What fails is tried again, with growing pauses; a week
/// that arrives after all attempts failed is left out.
package struct ReportWebhooks: Service {
    /// Pauses between attempts, in seconds.
    package static let pauses: [TimeInterval] = [60, 300, 1_800, 7_200, 21_600]
    /// For how long a report that is being sent is nobody else's.
    private static let lease: TimeInterval = 900
    private static let batch = 10
    private static let pause: Duration = .seconds(20)

    private let store: any SavedReportStore & WorkspaceStore
    private let reports: SavedReportService
    private let signer: ReportWebhookSigner
    private let fetcher: any ContentFetcher
    private let now: @Sendable () -> Date
    private let logger: Logger

    package init(
        store: any SavedReportStore & WorkspaceStore,
        reports: SavedReportService,
        signer: ReportWebhookSigner,
        fetcher: any ContentFetcher,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.reports = reports
        self.signer = signer
        self.fetcher = fetcher
        self.now = now
        self.logger = logger
    }

    package func run() async throws {
        await WorkLoop(
            pause: Self.pause,
            logger: logger,
            failure: "the weekly reports cannot be looked through",
            key: "report.error"
        ).run { try await step() == Self.batch }
    }

    /// Sends what is due now.
    ///
    /// - Returns: How many reports were tried.
    @discardableResult
    package func step() async throws -> Int {
        let start = now()
        let due = try await store.claimDueReports(
            limit: Self.batch,
            now: start,
            leaseEnd: start.addingTimeInterval(Self.lease)
        )
        for report in due {
            guard let schedule = report.content.schedule, var delivery = report.delivery else {
                continue
            }
            let problem = try await send(report, schedule, delivery)
            let time = now()
            delivery.problem = problem
            if problem == nil { delivery.sentAt = time }
            if problem != nil, Self.pauses.indices.contains(delivery.attempts) {
                delivery.dueAt = time.addingTimeInterval(Self.pauses[delivery.attempts])
                delivery.attempts += 1
            } else {
                let zone = try await store.timeZone(of: report.workspace)
                // What a server that stood still has missed is sent once.
                delivery.occurrence = schedule.next(after: max(time, delivery.occurrence), in: zone)
                delivery.dueAt = delivery.occurrence
                delivery.attempts = 0
            }
            try await store.recordDelivery(delivery, of: report)
        }
        return due.count
    }

    /// - Returns: Why it did not arrive; `nil` if it did.
    private func send(
        _ report: SavedReport,
        _ schedule: SavedReport.Schedule,
        _ delivery: SavedReport.Delivery
    ) async throws -> Reason? {
        let table: ReportTable
        let completeSince: Date?
        do {
            let found = try await reports.run(report)
            table = found.answer.table(found.breakdown.name)
            completeSince = found.completeSince
        } catch let problem as FieldProblem {
            return problem.reason
        } catch let problem as AudienceError {
            return problem.reason
        }
        let body = JSONWriter.text(Self.body(of: report, delivery, table, completeSince, at: now()))
        var request = ConnectedContentRequest(url: schedule.address)
        request.method = "POST"
        request.contentType = "application/json"
        request.headers = [
            "Noroshi-Signature": signer.signature(of: body, from: report.id, at: now()),
            // The same for every attempt of a week.
            "Idempotency-Key":
                "\(report.id.uuidString.lowercased())-\(delivery.occurrence.milliseconds)",
        ]
        request.body = body
        do {
            let answer = try await fetcher.fetch(request, for: report.workspace)
            return answer.failure
        } catch ContentFetchError.refused(let reason) {
            return Reason(ContentCallReason.mayNotBeCalled, ["reason": .reason(reason)])
        } catch ContentFetchError.unavailable(let reason) {
            return Reason(ContentCallReason.unreachable, ["reason": .reason(reason)])
        }
    }

    private static func body(
        of report: SavedReport,
        _ delivery: SavedReport.Delivery,
        _ table: ReportTable,
        _ completeSince: Date?,
        at time: Date
    ) -> [String: JSONValue] {
        var body: [String: JSONValue] = [
            "report": [
                "id": .string(report.id.uuidString.lowercased()),
                "name": .string(report.content.name), "kind": .string(report.content.kind),
            ],
            "occurrence": .string(Timestamp.format(delivery.occurrence)),
            "sent_at": .string(Timestamp.format(time)),
            "columns": .array(table.columns.map(JSONValue.string)),
            "rows": .array(table.rows.map { .array($0.map(JSONValue.string)) }),
        ]
        if let completeSince {
            body["complete_since"] = .string(Timestamp.format(completeSince))
        }
        return body
    }
}
