import APNs
import Analytics
import Audience
import Campaigns
import Console
import Foundation
import Model
import NoroshiWire
import Ports
import Sends

extension ConsoleAdapter {
    func pushHistory(
        _ query: PushHistoryQuery,
        for member: ConsoleMember
    ) async throws -> PushHistory {
        let found = try await store.sends(
            in: WorkspaceID(member.workspaceID),
            matching: SendQuery(
                text: query.text,
                phase: query.state,
                limit: query.page.size,
                offset: query.page.offset
            )
        )
        return PushHistory(rows: try await summaries(of: found.sends), total: found.total)
    }

    func push(number: Int64, for member: ConsoleMember) async throws -> PushDetail? {
        guard let send = try await ownSend(number, member),
            let summary = try await summaries(of: [send]).first
        else { return nil }
        let ledger = try await figures.value(of: .send(send.id), "ledger") {
            (
                reasons: try await store.failureReasons(of: send.id),
                dispatches: try await store.dispatches(of: send.id, limit: 50),
                opens: try await store.openTimes(of: send.id)
            )
        }
        return PushDetail(
            summary: summary,
            draft: PushDraft(send.content, audience: summary.audience),
            author: send.content.author,
            campaign: send.content.launch?.campaign.rawValue,
            startedAt: send.startedAt,
            finishedAt: send.finishedAt,
            failures: ledger.reasons.map { PushFailure(reason: $0.reason, count: $0.count) },
            opens: Self.steps(
                direct: ledger.opens.direct,
                influenced: ledger.opens.influenced,
                from: send.startedAt ?? send.createdAt,
                to: now()
            ),
            dispatches: ledger.dispatches.map(DispatchRow.init)
        )
    }

    func pushChanges(for member: ConsoleMember) async -> AsyncStream<PushSummary> {
        let changes = feed.changes()
        let workspace = WorkspaceID(member.workspaceID)
        return AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let work = Task {
                for await change in changes {
                    guard case .send(let id, let owner) = change, owner ?? workspace == workspace
                    else { continue }
                    // A page that misses a change gets the next one, or asks when it is reloaded.
                    guard let send = try? await ownSend(id.rawValue, member),
                        let summary = try? await summaries(of: [send], areExact: true).first
                    else { continue }
                    continuation.yield(summary)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    func preview(_ draft: PushDraft, for member: ConsoleMember) async throws -> PushPreview {
        let workspace = WorkspaceID(member.workspaceID)
        let content = try await written(draft, for: member).content
        var faults: [FieldFault] = []
        do {
            try PushComposer.check(content)
        } catch {
            faults = error.problems.compactMap(FieldFault.init)
        }
        var shown = content.message
        if let templates = try? PushTemplates(parsing: content.message) {
            let reference =
                draft.previewUser.isEmpty ? nil : UserReference.external(draft.previewUser)
            var profile: Profile?
            if let reference { profile = try await store.profile(reference, in: workspace) }
            let variables = ProfileVariables(profile: profile, send: content)
            let blocks = try await ContentBlockReader(store: store).blocks(
                named: templates.contentBlocks,
                in: workspace
            )
            faults += templates.problems(with: blocks).compactMap(FieldFault.init)
            do {
                let outcome = try await templates.render(
                    for: variables,
                    now: now(),
                    blocks: blocks,
                    answerer: MessageAnswerer(
                        workspace: workspace,
                        catalogs: CatalogReader(
                            store: store,
                            now: now,
                            random: { Double.random(in: 0...1) }
                        ),
                        fetcher: fetcher
                    ),
                    by: renderer
                )
                switch outcome {
                case .message(let message):
                    shown = message
                case .skip(let reason) where reason != "EmptyMessage" && faults.isEmpty:
                    faults.append(FieldFault(field: .message, text: reason))
                case .overdue(let reason):
                    faults.append(FieldFault(field: .message, text: reason))
                case .skip:
                    break
                }
            } catch ContentFetchFailure.unavailable(let reason) {
                faults.append(FieldFault(field: .message, text: "Connected Content: \(reason)"))
            }
        }
        return PushPreview(
            title: shown.title,
            subtitle: shown.subtitle,
            message: shown.body,
            url: shown.uri ?? "",
            pairs: shown.keyValuePairs.sorted { $0.key < $1.key }.map {
                PushPair(key: $0.key, value: $0.value)
            },
            payloadBytes: PayloadSize.bytes(of: shown),
            faults: faults
        )
    }

    func reach(
        of draft: PushDraft,
        for member: ConsoleMember
    ) async throws -> AudienceReach {
        let workspace = WorkspaceID(member.workspaceID)
        var resolved = try await written(draft, for: member).audience
        if resolved == nil {
            do {
                resolved = try await choices.audience(draft.audience, in: workspace)
            } catch AudienceChoiceProblem.noSuchUser {
                return AudienceReach(users: 0, devices: 0)
            } catch let problem as AudienceChoiceProblem {
                throw PushDraftRejected(problem)
            }
        }
        guard let resolved else { return AudienceReach(users: 0, devices: 0) }
        if case .matching(let query) = resolved {
            do {
                let count = try await self.audience.count(in: workspace, matching: query)
                return AudienceReach(users: count.reachable, devices: count.deviceCount)
            } catch let problem as AudienceProblem {
                // Another filter, or another moment: nothing is wrong with the server.
                throw PushDraftRejected(
                    faults: [FieldFault(field: .segment, text: problem.message)]
                )
            }
        }
        let reach = try await store.reach(of: resolved, in: workspace)
        return AudienceReach(users: reach.users, devices: reach.devices)
    }

    func outlook(of draft: PushDraft, for member: ConsoleMember) async throws -> SendOutlook {
        let content = try await complete(draft, for: member)
        return try await Self.naming {
            try await review.outlook(
                of: SendReview.Request(content, startsAt: draft.deliverAt),
                in: WorkspaceID(member.workspaceID)
            )
        }
    }

    func send(_ draft: PushDraft, for member: ConsoleMember) async throws -> Int64 {
        let content = try await complete(draft, for: member)
        return try await Self.naming {
            try await composer.send(
                content,
                in: WorkspaceID(member.workspaceID),
                at: draft.deliverAt
            ).id.rawValue
        }
    }

    func send(
        _ draft: PushDraft,
        keptAs id: UUID,
        for member: ConsoleMember
    ) async throws -> Int64? {
        let content = try await complete(draft, for: member)
        let workspace = WorkspaceID(member.workspaceID)
        return try await Self.naming {
            guard let time = draft.deliverAt else {
                return try await composer.send(
                    content,
                    ofDraft: id,
                    in: workspace,
                    holdingBack: undoSeconds
                )?.rawValue
            }
            return try await composer.send(content, ofDraft: id, in: workspace, at: time)?.rawValue
        }
    }

    func takeBackPush(number: Int64, for member: ConsoleMember) async throws -> UUID? {
        guard let send = try await ownSend(number, member) else { return nil }
        return try await control.takeBack(send, by: member.actor)
    }

    /// Names the composer's fields in what the services refuse.
    private static func naming<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let problems as PushProblems {
            throw PushDraftRejected(faults: problems.problems.compactMap(FieldFault.init))
        } catch let problem as AudienceProblem {
            // Another filter, or another moment: nothing is wrong with the server.
            throw PushDraftRejected(
                faults: [FieldFault(field: .segment, text: problem.message)]
            )
        }
    }

    /// What a new send of a draft is asked to do.
    private func complete(
        _ draft: PushDraft,
        for member: ConsoleMember
    ) async throws -> SendContent {
        var (content, audience) = try await written(draft, for: member)
        if audience == nil {
            audience = try await resolve(draft.audience, in: WorkspaceID(member.workspaceID))
        }
        content.audience = audience ?? content.audience
        content.author = member.name
        // A copy goes when its author says so, to everybody at the same moment.
        content.localMoment = nil
        content.heldUntil = nil
        return content
    }

    /// What a draft makes of the push it is based on, or of none; the audience only where it is
    /// still that of the push.
    private func written(
        _ draft: PushDraft,
        for member: ConsoleMember
    ) async throws -> (content: SendContent, audience: Audience?) {
        var content = SendContent.unwritten
        var audience: PushAudience?
        if let basis = draft.basis, let send = try await ownSend(basis, member),
            send.content.launch == nil
        {
            content = send.content
            audience = try await choices.choice(of: content.audience)
        }
        let shown = PushDraft(content, audience: audience ?? draft.audience)
        draft.apply(to: &content, shownAs: shown)
        return (content, audience == draft.audience ? content.audience : nil)
    }

    func take(
        _ step: SendStep,
        withPush number: Int64,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard let send = try await ownSend(number, member) else { return false }
        return try await control.take(step, with: send, by: member.actor)
    }

    func updatePush(
        number: Int64,
        to draft: PushDraft,
        keptAs id: UUID?,
        for member: ConsoleMember
    ) async throws -> Bool {
        // What a campaign has launched is the campaign's to change.
        guard let send = try await ownSend(number, member), send.state == .scheduled,
            send.content.launch == nil
        else { return false }
        var draft = draft
        draft.basis = number
        var (content, audience) = try await written(draft, for: member)
        if audience == nil {
            audience = try await resolve(draft.audience, in: send.workspace)
        }
        content.audience = audience ?? content.audience
        content.author = send.content.author
        content.heldUntil = nil
        var time = draft.deliverAt ?? now()
        // The form shows whole minutes: what is shown as it was has not been changed.
        if Int64(time.timeIntervalSince1970 / 60)
            == Int64(send.scheduledAt.timeIntervalSince1970 / 60)
        {
            time = send.scheduledAt
        } else {
            content.localMoment = nil
        }
        let isUpdated = try await Self.naming {
            try await composer.update(send, to: content, at: time)
        }
        if isUpdated, let id {
            try await store.finishDraft(
                id,
                in: send.workspace,
                as: String(send.id.rawValue)
            )
        }
        return isUpdated
    }

    func recipients(
        ofPush number: Int64,
        _ query: RecipientQuery,
        for member: ConsoleMember
    ) async throws -> [RecipientRow] {
        guard let send = try await ownSend(number, member) else { return [] }
        let filter: DispatchFilter =
            switch (query.reason, query.part) {
            case (let reason?, _): .reason(reason)
            case (nil, .all): .all
            case (nil, .delivered): .state(.accepted)
            case (nil, .received): .received
            case (nil, .opened): .opened
            case (nil, .direct): .openedDirectly
            case (nil, .influenced): .influenced
            case (nil, .dismissed): .dismissed
            case (nil, .rejected): .state(.rejected)
            case (nil, .unknown): .state(.unknown)
            }
        return try await store.dispatchList(
            of: send.id,
            matching: filter,
            after: query.after.map { DeviceID($0) },
            limit: query.limit
        ).map { RecipientRow(cursor: $0.device.rawValue, dispatch: DispatchRow($0.report)) }
    }

    func personalAttributes(for member: ConsoleMember) async throws -> [PersonalAttribute] {
        let custom = try await store.customAttributeNames(
            in: WorkspaceID(member.workspaceID),
            limit: 50
        )
        let standard = [
            "first_name", "last_name", "email_address", "country", "language", "city", "time_zone",
            "user_id",
        ]
        return standard.map { PersonalAttribute(name: $0, insertion: "{{${\($0)}}}") }
            + custom.map {
                PersonalAttribute(
                    name: $0,
                    insertion: "{{custom_attribute.${\($0)}}}",
                    customName: $0
                )
            }
    }

    func eventNames(for member: ConsoleMember) async throws -> [String] {
        try await store.eventNames(in: WorkspaceID(member.workspaceID), limit: 200, offset: 0)
    }

    func users(
        matching text: String,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> [UserChoice] {
        try await store.profiles(
            matching: text,
            in: WorkspaceID(member.workspaceID),
            limit: limit,
            offset: 0
        ).compactMap { profile in
            profile.externalID.map { id in
                UserChoice(
                    externalID: id,
                    name: [StandardAttribute.firstName, .lastName]
                        .compactMap { profile.standard[$0]?.stringValue }.joined(separator: " ")
                )
            }
        }
    }

    // MARK: Parts

    /// A send of the member's own workspace.
    private func ownSend(_ number: Int64, _ member: ConsoleMember) async throws -> Send? {
        let send = try await store.send(SendID(number))
        return send?.workspace == WorkspaceID(member.workspaceID) ? send : nil
    }

    /// The stored form of an audience.
    func resolve(
        _ choice: AudienceChoice,
        in workspace: WorkspaceID
    ) async throws -> Audience {
        do {
            return try await choices.audience(choice, in: workspace)
        } catch let problem as AudienceChoiceProblem {
            throw PushDraftRejected(problem)
        }
    }

    /// Opens in twelve equal steps from the start of a send until now, a minute each at least.
    private static func steps(
        direct: [Date],
        influenced: [Date],
        from start: Date,
        to end: Date
    ) -> [OpensInTime] {
        let length = max(60, end.timeIntervalSince(start) / 12)
        return (0..<12).map { step in
            let from = start.addingTimeInterval(Double(step) * length)
            let to = from.addingTimeInterval(length)
            return OpensInTime(
                from: from,
                direct: direct.count { $0 >= from && $0 < to },
                influenced: influenced.count { $0 >= from && $0 < to }
            )
        }
    }
}

extension PushDraftRejected {
    init(_ problem: AudienceChoiceProblem) {
        self.init(faults: [FieldFault(FormFault(problem))].compactMap(\.self))
    }
}

extension FieldFault {
    /// The composer's field of a problem of the services.
    init?(_ problem: PushProblems.Problem) {
        let field: PushField
        switch problem.field.split(separator: ".").first.map(String.init) ?? "" {
        case "title": field = .title
        case "subtitle": field = .subtitle
        case "uri": field = .url
        case "key_value_pairs": field = .pairs
        case "custom_vars": field = .customJSON
        case "badge": field = .badge
        case "collapse_id": field = .collapseID
        case "thread_id": field = .threadID
        default: field = .message
        }
        self.init(field: field, text: problem.message)
    }
}

extension DispatchRow {
    init(_ report: DispatchReport) {
        let state: Console.DispatchState
        switch report.state {
        case .queued: state = .queued
        case .sending: state = .sending
        case .rejected, .skipped: state = .rejected
        case .unknown: state = .unknown
        case .accepted:
            if report.openedAt != nil {
                state = .opened
            } else if report.dismissedAt != nil {
                state = .dismissed
            } else if report.receivedAt != nil {
                state = .received
            } else {
                state = .delivered
            }
        }
        let latest = [report.receivedAt, report.openedAt, report.dismissedAt, report.updatedAt]
            .compactMap(\.self).max()
        self.init(
            userID: report.profile.rawValue,
            userName: report.userName,
            device: report.device,
            state: state,
            reason: report.reason,
            changedAt: latest ?? report.updatedAt
        )
    }
}
