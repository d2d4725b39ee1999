import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Reports

/// Reports that members have saved by a name: shared in the workspace, asked again at any time.
package struct SavedReportService: Sendable {
    private let store: any SavedReportStore & WorkspaceStore
    private let reports: ReportService
    private let reader: ReportQuestionReader
    private let webhooks: ReportWebhookSigner
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID

    package init(
        store: any SavedReportStore & WorkspaceStore,
        reports: ReportService,
        reader: ReportQuestionReader,
        webhooks: ReportWebhookSigner,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.store = store
        self.reports = reports
        self.reader = reader
        self.webhooks = webhooks
        self.now = now
        self.makeID = makeID
    }

    /// By name.
    package func reports(in workspace: WorkspaceID) async throws -> [SavedReport] {
        try await store.savedReports(in: workspace)
    }

    package func report(_ id: UUID, in workspace: WorkspaceID) async throws -> SavedReport? {
        try await store.savedReport(id, in: workspace)
    }

    /// With what the receiver of a report's webhook checks signatures.
    package func signingSecret(of report: SavedReport, for actor: Actor) throws -> String {
        try actor.require(.marketer)
        return webhooks.secret(of: report.id)
    }

    /// The answer of now, what its parts are called, and since when everything is there.
    ///
    /// - Throws: `FieldProblem`, `AudienceError`.
    package func run(
        _ report: SavedReport
    ) async throws -> (
        answer: ReportAnswer, breakdown: ReportQuestionForm.Breakdown, completeSince: Date?
    ) {
        let asked = try await asked(report.content, in: report.workspace)
        return (
            try await reports.answer(asked.question, in: report.workspace), asked.breakdown,
            try await reports.completeSince(asked.question, in: report.workspace)
        )
    }

    /// Saves a report, or changes one.
    ///
    /// - Parameter id: `nil` for a new one.
    /// - Returns: `nil` if there is no report with this identifier.
    /// - Throws: `ValidationError` that names every field at fault, `NotAllowedError` to members who are
    ///   no marketers.
    package func save(
        _ content: SavedReport.Content,
        as id: UUID? = nil,
        by actor: Actor
    ) async throws -> SavedReport? {
        try actor.require(.marketer)
        var former: SavedReport?
        if let id {
            former = try await store.savedReport(id, in: actor.workspace)
            guard former != nil else { return nil }
        }
        let content = try await checked(content, isNew: former == nil, by: actor)
        let time = now()
        let zone = try await store.timeZone(of: actor.workspace)
        var report = SavedReport(
            id: former?.id ?? makeID(),
            workspace: actor.workspace,
            content: content,
            author: former?.author ?? actor.name,
            createdAt: former?.createdAt ?? time,
            updatedAt: time
        )
        if let schedule = content.schedule {
            report.delivery =
                schedule == former?.content.schedule
                ? former?.delivery
                : SavedReport.Delivery(
                    occurrence: schedule.next(after: time, in: zone),
                    sentAt: former?.delivery?.sentAt
                )
        }
        do {
            try await store.saveReport(
                report,
                noting: record("report_saved", content.name, at: time, by: actor)
            )
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError([
                FieldProblem("name", .nameTaken, ["name": .text(content.name)])
            ])
        }
        return report
    }

    /// - Returns: `false` if there is no such report.
    /// - Throws: `NotAllowedError` to members who are no marketers.
    package func delete(_ id: UUID, by actor: Actor) async throws -> Bool {
        try actor.require(.marketer)
        guard let report = try await store.savedReport(id, in: actor.workspace) else {
            return false
        }
        return try await store.deleteReport(
            id,
            in: actor.workspace,
            noting: record("report_deleted", report.content.name, at: now(), by: actor)
        )
    }

    private func record(
        _ action: String,
        _ name: String,
        at time: Date,
        by actor: Actor
    ) -> AuditRecord {
        AuditRecord(at: time, by: actor, action: action, subject: name, detail: "")
    }

    // MARK: Rules

    private func asked(
        _ content: SavedReport.Content,
        in workspace: WorkspaceID
    ) async throws -> ReportQuestionForm.Asked {
        return try await reader.question(
            SavedReportCheck.kind(content.kind),
            RequestReader(.object(content.question), path: "question"),
            in: workspace
        )
    }

    private func checked(
        _ content: SavedReport.Content,
        isNew: Bool,
        by actor: Actor
    ) async throws -> SavedReport.Content {
        var content = content
        content.name = try SavedReportCheck.name(content.name)
        if isNew {
            let known = try await store.savedReports(in: actor.workspace).count
            guard known < SavedReport.limit else {
                throw ValidationError([
                    FieldProblem("name", .mostSaved, ["count": "\(SavedReport.limit)"])
                ])
            }
        }
        // It is asked again later, each time of the period that ends then.
        content.question["ending_at"] = nil
        do {
            try SavedReportCheck.check(try await asked(content, in: actor.workspace).question)
        } catch let problem as FieldProblem {
            throw ValidationError([problem])
        }
        if let schedule = content.schedule {
            guard schedule.address.utf8.count <= 2_000,
                let url = URL(string: schedule.address),
                url.scheme == "https" || url.scheme == "http",
                url.host()?.isEmpty == false
            else { throw ValidationError([FieldProblem("weekly.url", .webhookAddress)]) }
            guard (1...7).contains(schedule.weekday) else {
                throw ValidationError([
                    FieldProblem("weekly.weekday", .outOfRange, ["first": "1", "last": "7"])
                ])
            }
        }
        return content
    }
}

extension SavedReport.Schedule {
    /// The first of its moments after another one.
    func next(after date: Date, in zone: TimeZone) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let wanted = DateComponents(
            hour: time.minutes / 60,
            minute: time.minutes % 60,
            // Sunday is 1 there.
            weekday: weekday % 7 + 1
        )
        // A time that the clock leaves out is that after the gap.
        return calendar.nextDate(after: date, matching: wanted, matchingPolicy: .nextTime)
            ?? date.addingTimeInterval(7 * 86_400)
    }
}
