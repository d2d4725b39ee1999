import Analytics
import Audience
import Campaigns
import Console
import Foundation
import Model
import NoroshiWire
import Ports
import Sends

/// Answers the console's questions about in-app messages.
struct InAppAdapter: InAppPages {
    let review: SendReview
    let audience: AudienceService
    let choices: AudienceChoiceService
    let figures: FigureCache
    let store: any Store
    let service: InAppMessageService
    let now: @Sendable () -> Date
    let makeID: @Sendable () -> UUID

    func messages(_ query: InAppListQuery, for member: ConsoleMember) async throws -> InAppList {
        let workspace = WorkspaceID(member.workspaceID)
        let found = try await store.inAppMessages(
            in: workspace,
            matching: InAppMessageQuery(
                text: query.text,
                states: query.state.map { [StoredInAppMessage.State($0)] }
                    ?? Set(StoredInAppMessage.State.allCases),
                limit: query.page.size,
                offset: query.page.offset
            )
        )
        let ids = found.messages.map(\.id)
        let counts = try await figures.value(
            of: .workspace(workspace),
            "in-app \(ids.map(\.uuidString).joined(separator: " "))"
        ) {
            try await store.inAppMessageCounts(of: ids, in: workspace)
        }
        return InAppList(
            rows: found.messages.map { stored in
                var row = InAppRow(stored)
                row.figures = InAppFigures(counts[stored.id] ?? InAppMessageCounts())
                return row
            },
            total: found.total
        )
    }

    func sketch(id: String, for member: ConsoleMember) async throws -> InAppSketch? {
        guard let stored = try await own(id, member) else { return nil }
        let shown = try await choices.choice(of: stored.audience)
        return InAppSketch(
            row: InAppRow(stored),
            draft: try InAppDraft(stored, audience: shown)
        )
    }

    func report(
        of id: String,
        days: Int,
        for member: ConsoleMember
    ) async throws -> InAppReport {
        let workspace = WorkspaceID(member.workspaceID)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = member.timeZone
        let today = calendar.startOfDay(for: now())
        // A day may have 23 or 25 hours.
        let boundaries = (0...days).compactMap {
            calendar.date(byAdding: .day, value: $0 - days + 1, to: today)
        }
        guard let uuid = UUID(uuidString: id) else {
            return InAppReport(figures: InAppFigures(), days: [])
        }
        let found = try await figures.value(
            of: .workspace(workspace),
            "in-app report \(id) \(today)"
        ) {
            (
                counts: try await store.inAppMessageCounts(of: [uuid], in: workspace)[uuid],
                variants: try await store.inAppMessageVariantCounts(of: uuid, in: workspace),
                steps: try await store.inAppMessageSteps(
                    of: uuid,
                    in: workspace,
                    between: boundaries
                )
            )
        }
        let stored = try await own(id, member)
        let records = try await store.inAppVariantRecords(of: uuid, in: workspace)
        return InAppReport(
            figures: InAppFigures(found.counts ?? InAppMessageCounts()),
            days: found.steps.map {
                InAppDay(
                    day: $0.start,
                    impressions: $0.impressions,
                    clicks: $0.clicks,
                    dismissals: $0.dismissals
                )
            },
            variants: stored.map { Self.results(of: $0, records, found.variants) } ?? [],
            control: found.variants[InAppExperiment.controlName]?.recipients ?? 0
        )
    }

    /// The present contents in their order, then those that people saw before them.
    private static func results(
        of stored: StoredInAppMessage,
        _ records: [InAppVariantRecord],
        _ counts: [String: InAppMessageCounts]
    ) -> [InAppVariantResult] {
        func result(
            _ number: Int,
            _ standing: VariantResult.Standing,
            _ header: String?,
            _ text: String
        ) -> InAppVariantResult {
            let shown = header.flatMap { $0.isEmpty ? nil : $0 } ?? text
            let found = counts[String(number)] ?? InAppMessageCounts()
            return InAppVariantResult(standing, text: shown, figures: InAppFigures(found))
        }
        let experiment = stored.experiment
        let present = experiment.isRunning ? stored.variants : []
        let numbers = Set(present.indices.map(experiment.number(ofVariantAt:)))
        let ids = Set(experiment.identities.map(\.id))
        return present.indices.map {
            result(
                experiment.number(ofVariantAt: $0),
                .current,
                present[$0].header,
                present[$0].message
            )
        }
            + records.filter {
                !numbers.contains($0.number) && counts[String($0.number)] != nil
            }.map {
                result(
                    $0.number,
                    ids.contains($0.id) ? .earlier : .removed,
                    $0.header,
                    $0.text
                )
            }
    }

    func contacts(
        of id: String,
        _ query: InAppContactQuery,
        for member: ConsoleMember
    ) async throws -> [InAppContact] {
        guard let uuid = UUID(uuidString: id) else { return [] }
        var wanted = InAppMessageContactQuery(
            button: query.button,
            before: query.before,
            limit: query.limit
        )
        switch query.part {
        case .all: break
        case .impressions: wanted.kinds = [.impression]
        case .clicks: wanted.kinds = [.click, .button]
        case .dismissals: wanted.kinds = [.dismissed]
        }
        if query.button != nil { wanted.kinds = [.button] }
        return try await store.inAppMessageContacts(
            of: uuid,
            in: WorkspaceID(member.workspaceID),
            matching: wanted
        ).map(InAppContact.init)
    }

    func save(
        _ draft: InAppDraft,
        id: String?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> String {
        let workspace = WorkspaceID(member.workspaceID)
        let known = if let id { try await own(id, member) } else { StoredInAppMessage?.none }
        let time = now()
        let newID = makeID()
        var stored =
            known
            ?? StoredInAppMessage(
                id: newID,
                workspace: workspace,
                name: draft.name,
                state: .draft,
                message: draft.message(id: newID),
                createdAt: time,
                updatedAt: time
            )
        stored.name = draft.name
        stored.message = draft.message(id: stored.id)
        stored.experiment = draft.experiment(
            id: stored.id,
            known: known?.experiment,
            makeID: makeID
        )
        stored.audience = try await query(draft.audience, in: workspace)
        stored.updatedAt = time
        let name = stored.id.uuidString.lowercased()
        try await Self.translatingProblems {
            if known == nil {
                try await service.create(stored, from: origin)
            } else {
                _ = try await service.update(stored, from: origin)
            }
        }
        return name
    }

    func activate(_ id: String, version: Date, for member: ConsoleMember) async throws -> Bool {
        guard var stored = try await own(id, member),
            [.draft, .stopped].contains(stored.state),
            stored.updatedAt.milliseconds == version.milliseconds
        else { return false }
        let seen = stored.updatedAt
        stored.state = .active
        stored.updatedAt = now()
        let message = stored
        do {
            return try await Self.translatingProblems {
                try await service.update(message, from: EditOrigin(version: seen))
            }
        } catch let error as StoreError where error.code == .changed {
            return false
        }
    }

    func outlook(of id: String, for member: ConsoleMember) async throws -> SendOutlook? {
        guard let stored = try await own(id, member) else { return nil }
        do {
            return try await review.outlook(
                of: SendReview.Request(stored),
                in: stored.workspace
            )
        } catch let problem as AudienceProblem {
            throw InAppRejected(faults: [FormFault(field: "segment", text: problem.message)])
        }
    }

    func perform(
        _ step: InAppStep,
        onMessage id: String,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard var stored = try await own(id, member) else { return false }
        switch (step, stored.state) {
        case (.pause, .active): stored.state = .stopped
        case (.archive, .draft), (.archive, .stopped): stored.state = .archived
        default: return false
        }
        stored.updatedAt = now()
        return try await Self.translatingProblems { try await service.update(stored) }
    }

    func preview(
        _ draft: InAppDraft,
        variant: Int,
        for member: ConsoleMember
    ) async throws -> InAppPreview {
        let variant = draft.contents.indices.contains(variant) ? variant : 0
        let workspace = WorkspaceID(member.workspaceID)
        var profile: Profile?
        if !draft.previewUser.isEmpty {
            profile = try await store.profile(.external(draft.previewUser), in: workspace)
        }
        let found = try await service.preview(
            draft.message(id: makeID(), variant: variant),
            for: profile,
            of: store.apps(in: workspace).first,
            in: workspace
        )
        var preview = InAppPreview(
            content: draft.contents.isEmpty ? draft.first : draft.contents[variant],
            faults: found.problems.map { FormFault($0, variant: variant) }
        )
        switch found.outcome {
        case .message(let message): preview.content.take(textsOf: message)
        case .aborted(let reason): preview.skipReason = reason
        case .failed(let problem): preview.faults.append(FormFault(problem, variant: variant))
        case nil: break
        }
        return preview
    }

    func reach(of audience: AudienceChoice, for member: ConsoleMember) async throws -> Int? {
        let workspace = WorkspaceID(member.workspaceID)
        let wanted = try await query(audience, in: workspace)
        guard wanted != SegmentQuery() else {
            return try await figures.value(of: .workspace(workspace), "users") {
                try await store.userCounts(in: workspace)
            }.users
        }
        do {
            return try await self.audience.count(in: workspace, matching: wanted).users
        } catch is AudienceProblem {
            return nil
        }
    }

    // MARK: Parts

    /// The stored form of an audience.
    private func query(
        _ choice: AudienceChoice,
        in workspace: WorkspaceID
    ) async throws -> SegmentQuery {
        do {
            return try await choices.query(choice, in: workspace)
        } catch let problem as AudienceChoiceProblem {
            throw InAppRejected(faults: [FormFault(problem)])
        }
    }

    /// A message of the member's own workspace.
    private func own(_ id: String, _ member: ConsoleMember) async throws -> StoredInAppMessage? {
        guard let uuid = UUID(uuidString: id) else { return nil }
        return try await store.inAppMessage(uuid, in: WorkspaceID(member.workspaceID))
    }

    private static func translatingProblems<Answer>(
        _ work: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await work()
        } catch let problems as PushProblems {
            throw InAppRejected(faults: problems.problems.map { FormFault($0) })
        }
    }
}

extension StoredInAppMessage.State {
    fileprivate init(_ phase: InAppPhase) {
        switch phase {
        case .draft: self = .draft
        case .active: self = .active
        case .paused: self = .stopped
        case .archived: self = .archived
        }
    }
}

extension InAppRow {
    fileprivate init(_ stored: StoredInAppMessage) {
        let phase: InAppPhase =
            switch stored.state {
            case .draft: .draft
            case .active: .active
            case .stopped: .paused
            case .archived: .archived
            }
        let rules = stored.message.rules
        self.init(
            id: stored.id.uuidString.lowercased(),
            name: stored.name,
            kind: InAppKind(stored.message.kind),
            phase: phase,
            triggers: rules.triggers.map(InAppTrigger.init),
            startsAt: rules.startsAtMilliseconds.map { Date(milliseconds: $0) },
            endsAt: rules.expiresAtMilliseconds.map { Date(milliseconds: $0) },
            changedAt: stored.updatedAt
        )
    }
}

extension InAppFigures {
    fileprivate init(_ counts: InAppMessageCounts) {
        self.init()
        impressions = counts.impressions
        users = counts.recipients
        bodyClicks = counts.clicks
        buttonClicks = counts.buttonClicks
        dismissals = counts.dismissals
    }
}

extension InAppContact {
    fileprivate init(_ contact: InAppMessageContact) {
        let kind: Kind =
            switch contact.kind {
            case .impression: .impression
            case .click: .click
            case .button: .button
            case .dismissed: .dismissed
            }
        self.init(
            cursor: contact.number,
            userID: contact.profile.rawValue,
            userName: contact.userName,
            kind: kind,
            button: contact.button,
            at: contact.time
        )
    }
}

extension FormFault {
    /// The form's field of a problem of the services, which name it by its place in the API.
    fileprivate init(_ problem: PushProblems.Problem, variant: Int = 0) {
        var parts = problem.field.split(separator: ".").map(String.init)[...]
        var variant = variant
        if parts.starts(with: ["experiment", "others"]), parts.count > 3 {
            variant = (Int(parts[2]) ?? 0) + 1
            parts = parts.dropFirst(3)
        } else if parts.first == "message", parts.count > 1 {
            parts.removeFirst()
        }
        let rest = Array(parts.dropFirst())
        let own = "v\(variant)."
        let contents = [
            "message": "text", "header": "header", "image_url": "image", "image_alt": "imageAlt",
            "closes_after_seconds": "closesAfter", "click_action": "body.url",
            "buttons": "b0.text",
        ]
        let rules = [
            "delay_seconds": "delay", "impression_limit": "times", "interval_seconds": "interval",
            "expires_at_ms": "endsAt",
        ]
        let field: String
        switch parts.first {
        case "buttons" where rest.count > 1:
            field = own + "b\(rest[0])." + (rest.contains("click_action") ? "url" : "text")
        case "rules" where rest.first == "triggers":
            field = rest.count > 1 ? "t\(rest[1]).name" : "triggers"
        case "rules": field = rest.first.flatMap { rules[$0] } ?? ""
        case "experiment": field = rest.first == "control_share" ? "controlShare" : "v0.weight"
        case "extras": field = "pairs"
        case "name": field = "name"
        case let first?: field = contents[first].map { own + $0 } ?? ""
        case nil: field = ""
        }
        self.init(field: field, text: problem.message)
    }
}
