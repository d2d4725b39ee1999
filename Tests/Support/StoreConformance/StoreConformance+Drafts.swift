import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private func draft(
        _ title: String,
        _ workspace: WorkspaceID,
        kind: FormDraft.Kind = .push,
        id: UUID = UUID(),
        window: String = "a",
        at time: TimeInterval = 0
    ) -> FormDraft {
        FormDraft(
            id: id,
            workspace: workspace,
            kind: kind,
            subject: "7",
            fields: "title=\(title)&title=%26",
            title: title,
            author: "Ada",
            updatedAt: now.addingTimeInterval(time),
            window: window
        )
    }

    @discardableResult
    private func save(
        _ draft: FormDraft,
        seen: Int = 0,
        limit: Int = 100
    ) async throws -> SavedDraft {
        try await store.saveDraft(
            draft,
            seen: seen,
            limit: limit,
            finishedSince: now.addingTimeInterval(-60)
        )
    }

    private func revised(_ draft: FormDraft, _ revision: Int) -> FormDraft {
        var draft = draft
        draft.revision = revision
        return draft
    }

    package func keepsDraftsOfAWorkspace() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        let first = draft("one", fixture.workspace)
        #expect(try await save(first) == .saved(first))
        #expect(try await store.draft(first.id, in: fixture.workspace) == first)
        #expect(try await store.draft(first.id, in: other.workspace) == nil)
        let changed = draft("two", fixture.workspace, id: first.id, at: 1)
        #expect(try await save(changed) == .saved(revised(changed, 2)))
        let second = draft("three", fixture.workspace, at: 2)
        try await save(second)
        try await save(draft("news", fixture.workspace, kind: .news))
        #expect(
            try await store.drafts(.push, in: fixture.workspace) == [second, revised(changed, 2)]
        )
        #expect(try await store.drafts(.news, in: fixture.workspace).map(\.title) == ["news"])
        #expect(try await store.drafts(.push, in: other.workspace) == [])
        try await save(draft("four", fixture.workspace, at: 3), limit: 2)
        #expect(
            try await store.drafts(.push, in: fixture.workspace).map(\.title) == ["four", "three"]
        )
        #expect(try await !store.deleteDraft(second.id, in: other.workspace))
        #expect(try await store.deleteDraft(second.id, in: fixture.workspace))
        #expect(try await store.drafts(.push, in: fixture.workspace).map(\.title) == ["four"])
    }

    package func keepsWhatAnotherWindowHasWritten() async throws {
        let workspace = try await fixture().workspace
        let first = draft("one", workspace)
        try await save(first)
        // The window that wrote last writes on, whatever it remembers of its own.
        let second = draft("two", workspace, id: first.id)
        #expect(try await save(second, seen: 0) == .saved(revised(second, 2)))
        // Another one has to have read what it changes.
        let stale = draft("three", workspace, id: first.id, window: "b")
        #expect(try await save(stale, seen: 1) == .elsewhere(revised(second, 2)))
        #expect(try await store.draft(first.id, in: workspace)?.title == "two")
        #expect(try await save(stale, seen: 2) == .saved(revised(stale, 3)))
        #expect(try await save(second, seen: 2) == .elsewhere(revised(stale, 3)))
        // Who says the same has changed nothing.
        let same = draft("three", workspace, id: first.id, window: "c", at: 9)
        #expect(try await save(same, seen: 0) == .saved(revised(stale, 3)))
    }

    package func sendsADraftOnce() async throws {
        let fixture = try await fixture()
        let written = draft("one", fixture.workspace)
        let content = SendContent(message: PushMessage(body: "Tea?"), audience: .everyone)
        func send() async throws -> DraftedSend {
            try await store.createSend(
                content,
                ofDraft: written.id,
                in: fixture.workspace,
                scheduledAt: now,
                noting: { note("\($0)") },
                now: now
            )
        }
        #expect(try await send() == .missing)
        try await save(written)
        let outcomes = try await withThrowingTaskGroup(of: DraftedSend.self) { group in
            for _ in 0..<8 { group.addTask { try await send() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let made = outcomes.compactMap { outcome in
            if case .made(let send) = outcome { send } else { nil }
        }
        #expect(made.count == 1)
        let sent = try #require(made.first)
        #expect(outcomes.count { $0 == .known(sent.id) } == 7)
        let audit = try await store.audit(in: fixture.workspace, matching: AuditQuery())
        #expect(audit.records == [note("\(sent.id)")])
        #expect(try await store.sends(in: fixture.workspace, limit: 9, offset: 0) == [sent])
        // What was sent is not changed any more, nor listed.
        guard
            case .finished(let stored) = try await save(
                draft("two", fixture.workspace, id: written.id)
            )
        else {
            Issue.record("it was sent")
            return
        }
        #expect(stored.outcome == String(sent.id.rawValue) && stored.title == "one")
        #expect(try await store.draft(written.id, in: fixture.workspace) == stored)
        #expect(try await store.drafts(.push, in: fixture.workspace) == [])
        try await save(draft("three", fixture.workspace, at: 3600))
        #expect(try await store.draft(written.id, in: fixture.workspace) == stored)
        _ = try await store.saveDraft(
            draft("four", fixture.workspace),
            seen: 0,
            limit: 9,
            finishedSince: now.addingTimeInterval(1)
        )
        #expect(try await store.draft(written.id, in: fixture.workspace) == nil)
    }

    package func takesBackWhatHasNotBegun() async throws {
        let workspace = try await fixture().workspace
        let written = draft("one", workspace)
        try await save(written)
        let content = SendContent(message: PushMessage(body: "Tea?"), audience: .everyone)
        func send() async throws -> Send? {
            let outcome = try await store.createSend(
                content,
                ofDraft: written.id,
                in: workspace,
                scheduledAt: now.addingTimeInterval(10),
                noting: { _ in nil },
                now: now
            )
            return if case .made(let send) = outcome { send } else { nil }
        }
        let first = try #require(try await send())
        #expect(
            try await store.takeBack(first.id, in: workspace, noting: note("1"), now: now)
                == written.id
        )
        #expect(try await store.send(first.id)?.state == .cancelled)
        let again = try #require(try await store.draft(written.id, in: workspace))
        #expect(again.outcome == nil && again.fields == written.fields)
        #expect(
            try await store.takeBack(first.id, in: workspace, noting: note("2"), now: now) == nil
        )
        // It is sent once more, and begins: now it is too late.
        let second = try #require(try await send())
        #expect(second.id != first.id)
        _ = try await store.startPlanningDueSends(now: now.addingTimeInterval(10))
        #expect(
            try await store.takeBack(second.id, in: workspace, noting: note("3"), now: now) == nil
        )
        let log = try await store.audit(in: workspace, matching: AuditQuery())
        #expect(log.records.map(\.subject) == ["1"])
        #expect(try await store.send(second.id)?.state == .planning)
        #expect(
            try await store.draft(written.id, in: workspace)?.outcome
                == String(second.id.rawValue)
        )
    }

    /// Ways to make something of a draft, and to change it from another one; both answer with the
    /// name of what there is then, and when it was changed.
    private struct Thing {
        var kind: FormDraft.Kind
        var make: (EditOrigin) async throws -> Void
        var change: (EditOrigin) async throws -> Void
        var found: () async throws -> [(name: String, version: Date)]
    }

    private func things(in workspace: WorkspaceID) -> [Thing] {
        let campaign = CampaignContent(
            name: "Tea",
            delivery: .immediately,
            variants: [
                CampaignVariant(
                    apiID: UUID(),
                    name: "A",
                    message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea?")))
                )
            ]
        )
        let segment = SegmentContent(name: "Tea", definition: "{}", author: "Ada")
        let news = NewsContent(title: "Tea")
        let messages = [UUID(), UUID()].map { id in
            InAppMessageDefinition(
                id: id,
                workspace: workspace,
                name: "Tea \(id)",
                state: .draft,
                message: InAppMessage(
                    id: id.uuidString.lowercased(),
                    kind: .modal,
                    message: "Tea?",
                    rules: InAppMessageRules(triggers: [.sessionStart])
                ),
                createdAt: now,
                updatedAt: now
            )
        }
        func campaigns() async throws -> [Campaign] {
            try await store.campaigns(in: workspace, matching: CampaignQuery()).campaigns
        }
        func items() async throws -> [NewsItem] {
            try await store.news(in: workspace, matching: NewsQuery(now: now)).items
        }
        func stored() async throws -> [InAppMessageDefinition] {
            let all = Set(InAppMessageDefinition.State.allCases)
            return try await store.inAppMessages(in: workspace, states: all, limit: 9, offset: 0)
        }
        return [
            Thing(
                kind: .campaign,
                make: { origin in
                    _ = try await store.createCampaign(
                        campaign,
                        apiID: UUID(),
                        in: workspace,
                        from: origin,
                        noting: { _ in nil },
                        now: now
                    )
                },
                change: { origin in
                    let id = try await campaigns()[0].id
                    let update = try await store.updateCampaign(
                        id,
                        in: .draft,
                        content: campaign,
                        nextDueAt: nil,
                        reserved: [],
                        from: origin,
                        noting: nil,
                        now: now
                    )
                    #expect(update == .updated)
                },
                found: { try await campaigns().map { ("\($0.id)", $0.updatedAt) } }
            ),
            Thing(
                kind: .segment,
                make: { origin in
                    _ = try await store.createSegment(
                        segment,
                        in: workspace,
                        from: origin,
                        noting: nil,
                        now: now
                    )
                },
                change: { origin in
                    let id = try await store.segments(in: workspace)[0].id
                    let isChanged = try await store.updateSegment(
                        id,
                        to: segment,
                        from: origin,
                        noting: nil,
                        now: now
                    )
                    #expect(isChanged)
                },
                found: {
                    try await store.segments(in: workspace).map { ("\($0.id)", $0.updatedAt) }
                }
            ),
            Thing(
                kind: .news,
                make: { origin in
                    _ = try await store.createNews(
                        news,
                        author: "Ada",
                        in: workspace,
                        from: origin,
                        noting: nil,
                        now: now
                    )
                },
                change: { origin in
                    let id = try await items()[0].id
                    let isChanged = try await store.updateNews(
                        id,
                        content: news,
                        in: workspace,
                        from: origin,
                        noting: nil,
                        now: now
                    )
                    #expect(isChanged)
                },
                found: { try await items().map { ("\($0.id)", $0.updatedAt) } }
            ),
            Thing(
                kind: .inApp,
                make: { origin in
                    // Each request has an identifier of its own for the message.
                    let isFirst = try await stored().isEmpty
                    try await store.createInAppMessage(messages[isFirst ? 0 : 1], from: origin)
                },
                change: { origin in
                    let isChanged = try await store.updateInAppMessage(messages[0], from: origin)
                    #expect(isChanged)
                },
                found: {
                    try await stored().map { ($0.id.uuidString.lowercased(), $0.updatedAt) }
                }
            ),
        ]
    }

    package func savesADraftOnce() async throws {
        let workspace = try await fixture().workspace
        for thing in things(in: workspace) {
            let written = draft("one", workspace, kind: thing.kind)
            try await save(written)
            let origin = EditOrigin(draft: written.id)
            try await thing.make(origin)
            let made = try await thing.found()
            #expect(made.count == 1, "\(thing.kind)")
            let name = try #require(made.first?.name)
            #expect(try await store.draft(written.id, in: workspace)?.outcome == name)
            // Posted again, it is the same one.
            await #expect(throws: DraftFinishedError(outcome: name)) {
                try await thing.make(origin)
            }
            #expect(try await thing.found().count == 1, "\(thing.kind)")
            // A change of it is saved once too.
            let change = draft("two", workspace, kind: thing.kind)
            try await save(change)
            let version = try #require(made.first?.version)
            try await thing.change(EditOrigin(draft: change.id, version: version))
            #expect(try await store.draft(change.id, in: workspace)?.outcome == name)
            await #expect(throws: DraftFinishedError(outcome: name)) {
                try await thing.change(EditOrigin(draft: change.id, version: version))
            }
        }
    }

    package func tellsTheLaterOfTwoEditors() async throws {
        let workspace = try await fixture().workspace
        for thing in things(in: workspace) {
            try await thing.make(.direct)
            let version = try #require(try await thing.found().first?.version)
            try await thing.change(EditOrigin(version: version))
            let written = draft("two", workspace, kind: thing.kind)
            try await save(written)
            // At the same moment of the clock, too.
            let error = await #expect(throws: StoreError.self, "\(thing.kind)") {
                try await thing.change(EditOrigin(draft: written.id, version: version))
            }
            #expect(error?.code == .changed)
            // What was not saved is still written, and can be saved by whoever has looked.
            #expect(try await store.draft(written.id, in: workspace)?.outcome == nil)
            let current = try #require(try await thing.found().first?.version)
            #expect(current != version)
            try await thing.change(EditOrigin(draft: written.id, version: current))
            // Who asks for nothing is not held up.
            try await thing.change(.direct)
        }
    }

    package func activatesWhatWasSeen() async throws {
        let workspace = try await fixture().workspace
        guard let thing = things(in: workspace).first(where: { $0.kind == .campaign }) else {
            return
        }
        try await thing.make(.direct)
        let campaigns = try await store.campaigns(in: workspace, matching: CampaignQuery())
        let seen = try #require(campaigns.campaigns.first)
        func activate(_ version: Date) async throws -> Bool {
            try await store.transitionCampaign(
                seen.id,
                from: [.draft, .stopped],
                to: .active,
                nextDueAt: now,
                version: version,
                noting: nil,
                now: now
            ) != nil
        }
        try await thing.change(.direct)
        #expect(try await !activate(seen.updatedAt))
        let changed = try #require(try await store.campaign(seen.id))
        #expect(try await activate(changed.updatedAt))
        // It has ended, and the same form comes again.
        _ = try await store.transitionCampaign(
            seen.id,
            from: [.active],
            to: .stopped,
            nextDueAt: nil,
            now: now
        )
        #expect(try await !activate(changed.updatedAt))
        #expect(try await store.campaign(seen.id)?.state == .stopped)
    }
}
