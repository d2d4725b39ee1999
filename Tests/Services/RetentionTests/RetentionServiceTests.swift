import Accounts
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Retention
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("Retention")
struct RetentionServiceTests {
    private static let day: TimeInterval = 86_400

    /// A workspace with an audit record of each of a hundred days, the last of which is today.
    private struct Setting {
        let conformance: StoreConformance
        let workspace: WorkspaceID
        let path: String
        let today: Date

        var store: any Store { conformance.store }

        func keep(audit: Int?) async throws {
            _ = try await WorkspaceService(store: store, now: { today }).change(
                by: .commandLine(account: "test", workspace)
            ) { $0.retention.audit = audit }
        }

        func service(at moment: Date? = nil, rows: Int = 7) -> RetentionService {
            let moment = moment ?? today
            var settings = RetentionService.Settings()
            settings.rows = rows
            settings.pause = .zero
            return RetentionService(
                store: store,
                settings: settings,
                now: { moment },
                uptime: { .zero },
                logger: Logger(label: "test")
            )
        }

        func days() async throws -> [Int] {
            try await store.audit(in: workspace, matching: AuditQuery(limit: 500)).records
                .filter { $0.action == "tested" }.compactMap { Int($0.subject) }
        }

        func state(at moment: Date? = nil) async throws -> RetentionState {
            let workspace = try #require(try await store.workspace(workspace))
            return try #require(
                try await service(at: moment).states(in: workspace).first { $0.kind == .audit }
            )
        }
    }

    private func withSetting(_ body: (Setting) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let conformance = StoreConformance(try SQLStore.testing(at: path))
        let fixture = try await conformance.fixture()
        for day in 0..<100 {
            try await conformance.store.addAudit(
                AuditRecord(
                    at: conformance.now + Double(day) * Self.day,
                    origin: .console,
                    author: "ada",
                    action: "tested",
                    subject: "\(day)"
                ),
                in: fixture.workspace
            )
        }
        try await body(
            Setting(
                conformance: conformance,
                workspace: fixture.workspace,
                path: path,
                today: conformance.now + 99 * Self.day
            )
        )
    }

    @Test("without a period everything stays")
    func off() async throws {
        try await withSetting { setting in
            try await setting.service().removeDue()
            #expect(try await setting.days().count == 100)
            let state = try await setting.state()
            #expect(state.phase == .off && state.days == nil && state.keptSince == nil)
        }
    }

    @Test("what is older than the period goes, once a day, and the state says so")
    func removal() async throws {
        try await withSetting { setting in
            try await setting.keep(audit: 40)
            #expect(try await setting.state().phase == .waiting)
            try await setting.service().removeDue()
            #expect(try await setting.days() == (59...99).reversed())
            let state = try await setting.state()
            #expect(state.phase == .done && state.removed == 59 && state.days == 40)
            #expect(state.keptSince == setting.today - 40 * Self.day)
            #expect(state.lastRunAt == setting.today)

            let soon = setting.service(at: setting.today + 0.9 * Self.day)
            try await soon.removeDue()
            #expect(try await setting.days().count == 41)
            let next = setting.service(at: setting.today + 1.1 * Self.day)
            try await next.removeDue()
            #expect(try await setting.days().count == 39)
            #expect(next.removedRows(of: .audit) == 2)
            #expect(next.removedRows(of: .recordIDs) == 0)
        }
    }

    @Test("a pass goes on where another process left it, also with a longer period")
    func resumption() async throws {
        try await withSetting { setting in
            try await setting.keep(audit: 30)
            let first = try await setting.store.removeRows(
                .audit,
                in: setting.workspace,
                olderThan: setting.today - 30 * Self.day,
                lookingAt: 20,
                now: setting.today
            )
            #expect(first == RetentionStep(removed: 20, isLast: false))
            #expect(try await setting.state().phase == .running)
            let another = StoreConformance(
                try SQLStore.testing(at: setting.path)
            )
            let left = Setting(
                conformance: another,
                workspace: setting.workspace,
                path: setting.path,
                today: setting.today
            )
            try await left.keep(audit: 60)
            try await left.service().removeDue()
            #expect(try await left.days().min() == 39)
            // What is gone is gone: nothing earlier is called complete.
            #expect(try await left.state().keptSince == setting.today - 30 * Self.day)
            #expect(try await left.state().phase == .done)
        }
    }

    @Test("after two days without an end it is behind")
    func behind() async throws {
        try await withSetting { setting in
            try await setting.keep(audit: 30)
            try await setting.service().removeDue()
            #expect(try await setting.state(at: setting.today + 1.9 * Self.day).phase == .done)
            #expect(try await setting.state(at: setting.today + 2.1 * Self.day).phase == .behind)
        }
    }

    @Test(
        "a period that is too short or too long is refused at its field",
        arguments: [-1, 0, 29, 36_501]
    )
    func bounds(days: Int) async throws {
        try await withSetting { setting in
            let error = await #expect(throws: ValidationError.self) {
                try await setting.keep(audit: days)
            }
            #expect(error?.problems.first?.field == "audit_days")
            #expect(
                error?.problems.first?.message
                    == "is 30 to 36500 days, or nothing to keep them for ever"
            )
            let stored = try await setting.store.workspace(setting.workspace)?.settings
            #expect(stored?.retention == RetentionPeriods())
        }
    }

    @Test("a service that is told to stop stops between two steps")
    func stopping() async throws {
        try await withSetting { setting in
            try await setting.keep(audit: 30)
            let service = setting.service(rows: 1)
            let task = Task { try await service.removeDue() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await setting.days().count > 40)
            try await service.removeDue()
            #expect(try await setting.days().count == 31)
        }
    }
}
