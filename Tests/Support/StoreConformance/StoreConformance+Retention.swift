import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private static let day: TimeInterval = 86_400

    private func viewed(_ day: Int) -> IngestItem {
        IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now + Double(day) * Self.day,
            content: .event(name: "viewed", properties: ["day": .integer(Int64(day))])
        )
    }

    private func send(
        _ items: [IngestItem],
        on installation: UUID,
        in fixture: Fixture,
        at time: Date
    ) async throws -> [IngestOutcome] {
        let device = SDKDevice(id: installation, platform: "ios")
        let request = IngestRequest(
            workspace: fixture.workspace,
            source: .device(device, app: fixture.app.id),
            items: items
        )
        return try #require(try await store.ingest([request], now: time).first)
    }

    /// A pass removes what is older, in steps, and tells how far it has come.
    package func removesOldRowsInSteps() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        let log = try await store.audit(in: fixture.workspace, matching: AuditQuery()).total
        for day in 0..<10 {
            for workspace in [fixture.workspace, other.workspace] {
                try await store.addAudit(
                    AuditRecord(
                        at: now + Double(day) * Self.day,
                        origin: .console,
                        author: "ada",
                        action: "tested",
                        subject: "\(day)"
                    ),
                    in: workspace
                )
            }
        }
        func step(_ day: Double, at time: Double) async throws -> RetentionStep {
            try await store.removeRows(
                .audit,
                in: fixture.workspace,
                olderThan: now + day * Self.day,
                lookingAt: 4,
                now: now + time
            )
        }
        #expect(try await store.retentionProgress(in: fixture.workspace) == [])
        let first = try await step(6, at: 100)
        #expect(first == RetentionStep(removed: 4, isLast: false))
        // A later moment does not reach a pass that has begun; an earlier one does.
        #expect(try await step(9, at: 200) == RetentionStep(removed: 2, isLast: false))
        #expect(
            try await store.retentionProgress(in: fixture.workspace) == [
                RetentionProgress(
                    kind: .audit,
                    keptSince: now + 6 * Self.day,
                    removed: 6,
                    startedAt: now + 100,
                    finishedAt: nil
                )
            ]
        )
        #expect(try await step(1, at: 300) == RetentionStep(removed: 0, isLast: true))
        // A longer period brings nothing back.
        #expect(try await step(2, at: 400).removed == 0)
        #expect(
            try await store.retentionProgress(in: fixture.workspace).first?.keptSince
                == now + 6 * Self.day
        )
        let left = try await store.audit(in: fixture.workspace, matching: AuditQuery(limit: 50))
        #expect(
            left.records.filter { $0.action == "tested" }.map(\.subject) == ["9", "8", "7", "6"]
        )
        #expect(left.total == log + 4)
        let others = try await store.audit(in: other.workspace, matching: AuditQuery(limit: 50))
        #expect(others.records.count { $0.action == "tested" } == 10)
    }

    /// Rows from which conversions are counted stay, and it is told for whom.
    package func tellsForWhomOldRowsStay() async throws {
        let fixture = try await fixture()
        let workspace = fixture.workspace
        let other = try await self.fixture().workspace
        #expect(try await store.retentionHolders(in: workspace) == [])
        func add(_ name: String, _ events: [EventMatch.Kind]) async throws -> Campaign {
            var content = CampaignContent(
                name: name,
                delivery: .immediately,
                variants: [
                    CampaignVariant(
                        apiID: UUID(),
                        name: "A",
                        message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea?")))
                    )
                ]
            )
            content.conversions = events.map { ConversionEvent(event: EventMatch($0)) }
            return try await store.createCampaign(content, apiID: UUID(), in: workspace, now: now)
        }
        _ = try await add("Nobody", [])
        // Purchases stay anyway.
        _ = try await add("Buyers", [.purchase(product: nil)])
        let both = try await add("Poured", [.custom(name: "poured"), .sessionStart])
        let again = try await add("Again", [.sessionStart])
        let third = try await add("Again", [.sessionStart])
        let message = UUID()
        try await store.createInAppMessage(
            InAppMessageDefinition(
                id: message,
                workspace: workspace,
                name: "Menu",
                state: .draft,
                message: InAppMessage(
                    id: message.uuidString.lowercased(),
                    kind: .modal,
                    message: "Tea?",
                    rules: InAppMessageRules(triggers: [.sessionStart])
                ),
                goal: ConversionEvent(event: EventMatch(.custom(name: "poured"))),
                createdAt: now,
                updatedAt: now
            )
        )
        func subject(_ campaign: Campaign) -> RetentionHolder.Subject {
            .campaign(campaign.id, apiID: campaign.apiID)
        }
        let expected = [
            RetentionHolder(subject(again), "Again", of: .sessions),
            RetentionHolder(subject(third), "Again", of: .sessions),
            RetentionHolder(.inAppMessage(message), "Menu", of: .customEvents),
            RetentionHolder(.inAppMessage(message), "Menu", of: .inAppReports),
            RetentionHolder(subject(both), "Poured", of: .customEvents),
            RetentionHolder(subject(both), "Poured", of: .sessions),
        ]
        #expect(try await store.retentionHolders(in: workspace) == expected)
        #expect(try await store.retentionHolders(in: other) == [])
    }

    /// A record whose id was removed is recognized by what it says.
    package func recognizesRecordsWithoutTheirIDs() async throws {
        let fixture = try await fixture()
        let phone = try await register("ada", token: "abc", in: fixture)
        let session = IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now + 5,
            content: .sessionStarted
        )
        let purchase = IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now + 6,
            content: .purchase(
                product: "tea",
                currency: "JPY",
                price: 480,
                quantity: 2,
                properties: ["size": "L"]
            )
        )
        let shown = IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now + 7,
            content: .inAppMessage(
                SDKRecord.InAppMessageInteraction(kind: .impression, message: "welcome")
            )
        )
        let ended = IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now + 8,
            content: .sessionEnded(duration: 3)
        )
        let old = [session, purchase, shown, ended, viewed(0), viewed(3)]
        let recent = [viewed(40)]
        _ = try await send(old, on: phone, in: fixture, at: now + 4 * Self.day)
        _ = try await send(recent, on: phone, in: fixture, at: now + 40 * Self.day)
        let profile = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        let before = try await store.figures(of: profile.id)
        let events = try await store.events(of: profile.id, limit: 50)
        #expect(events.count == 6)

        let later = now + 60 * Self.day
        while try await !store.removeRows(
            .recordIDs,
            in: fixture.workspace,
            olderThan: now + 30 * Self.day,
            lookingAt: 2,
            now: later
        ).isLast {}
        let removed = try await store.retentionProgress(in: fixture.workspace).first?.removed
        #expect(removed == old.count + 1)
        let again = try await send(old + recent, on: phone, in: fixture, at: later)
        #expect(again == Array(repeating: IngestOutcome.duplicate, count: 7))
        #expect(try await store.figures(of: profile.id) == before)
        #expect(try await store.events(of: profile.id, limit: 50) == events)

        // What comes for the first time is stored, however late: also twice in a millisecond.
        let late = viewed(1)
        var twin = late
        twin.recordID = UUID()
        let first = try await send([late, twin], on: phone, in: fixture, at: later)
        #expect(first == [.stored(except: []), .stored(except: [])])
        #expect(try await store.events(of: profile.id, limit: 50).count == 8)
    }
}
