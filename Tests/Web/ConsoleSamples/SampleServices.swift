import Accounts
import Console
import Foundation
import Model
import Phones

/// How much made-up data there is.
package enum SampleSize: String, CaseIterable {
    case empty, small, large

    var users: Int {
        switch self {
        case .empty: 0
        case .small: 1240
        case .large: 104_816
        }
    }

    var pushes: Int {
        switch self {
        case .empty: 0
        case .small: 12
        case .large: 240
        }
    }
}

/// The console's services over data that is made up when it starts.
package actor SampleServices: ConsoleServices {
    private let size: SampleSize
    private let started: Date
    private let phones: SamplePhones
    private var forms: [UUID: FormDraft] = [:]
    private var pushes: [Int64: PushDetail] = [:]
    private var watchers: [UUID: AsyncStream<PushSummary>.Continuation] = [:]
    private var sessions: [String: ConsoleMember] = [:]

    package init(size: SampleSize, phones: SamplePhones, now: Date) {
        self.size = size
        self.phones = phones
        started = now
        for push in SamplePushes.make(size.pushes, users: size.users, now: now) {
            pushes[push.summary.number] = push
        }
    }

    package func logIn(
        email: String,
        password: String,
        from address: String?
    ) async throws -> ConsoleSession? {
        // What a visitor sees of the limits, for the pages' tests.
        switch password {
        case "flood": throw SignInRefusal.limited(retryAfterSeconds: 840)
        case "rush": throw SignInRefusal.busy(retryAfterSeconds: 2)
        default: break
        }
        let roles: [String: Member.Role] = [
            "admin@example.com": .administrator, "marketer@example.com": .marketer,
            "viewer@example.com": .viewer,
        ]
        guard password == "lighthouse", let role = roles[email] else { return nil }
        let token = UUID().uuidString
        sessions[token] = ConsoleMember(
            id: 1,
            name: "Hanae Mori",
            email: email,
            role: role,
            workspaceID: 1,
            workspaceName: "Kissa Aoi",
            timeZone: TimeZone(identifier: "Asia/Tokyo") ?? .gmt
        )
        return ConsoleSession(token: token, expiresAt: Date().addingTimeInterval(86_400))
    }

    package func member(ofSession token: String) async throws -> ConsoleMember? { sessions[token] }

    package func logOut(session token: String) async throws { sessions[token] = nil }

    package func overview(days: Int, for member: ConsoleMember) async throws -> OverviewFigures {
        let all = sorted()
        return OverviewFigures(
            users: size.users,
            reachableDevices: size.users * 71 / 100,
            days: SamplePushes.days(days, users: size.users, before: started, skip: 0),
            previousDays: SamplePushes.days(days, users: size.users, before: started, skip: days),
            running: all.filter { $0.state == .running },
            scheduled: all.filter { $0.state == .scheduled },
            recent: Array(all.filter { $0.state == .done }.prefix(6))
        )
    }

    package func pushHistory(
        _ query: PushHistoryQuery,
        for member: ConsoleMember
    ) async throws -> PushHistory {
        let matching = sorted().filter { push in
            (query.state == nil || push.state == query.state)
                && (query.text.isEmpty
                    || (push.title + push.message).localizedCaseInsensitiveContains(query.text))
        }
        let first = query.page.offset
        return PushHistory(
            rows: Array(matching.dropFirst(first).prefix(query.page.size)),
            total: matching.count
        )
    }

    package func push(number: Int64, for member: ConsoleMember) async throws -> PushDetail? {
        pushes[number]
    }

    package func pushChanges(for member: ConsoleMember) async -> AsyncStream<PushSummary> {
        let id = UUID()
        return AsyncStream { continuation in
            watchers[id] = continuation
            continuation.onTermination = { _ in Task { await self.forget(id) } }
        }
    }

    package func preview(_ draft: PushDraft, for member: ConsoleMember) async throws -> PushPreview
    {
        func drawn(_ text: String) -> String {
            let name = draft.previewUser.isEmpty ? "" : "Yuki"
            return text.replacingOccurrences(of: "{{${first_name}}}", with: name)
        }
        var faults: [FieldFault] = []
        if draft.message.contains("{{"), !draft.message.contains("}}") {
            faults.append(
                FieldFault(field: .message, text: "line 1: the variable is not closed with }}")
            )
        }
        let texts = draft.title + draft.subtitle + draft.message + draft.url + draft.customJSON
        return PushPreview(
            title: drawn(draft.title),
            subtitle: drawn(draft.subtitle),
            message: drawn(draft.message),
            url: draft.url,
            pairs: draft.pairs,
            payloadBytes: 96 + texts.utf8.count,
            faults: faults
        )
    }

    package func reach(of draft: PushDraft, for member: ConsoleMember) async throws
        -> AudienceReach
    {
        switch draft.audience {
        case .everyone: AudienceReach(users: size.users, devices: size.users * 71 / 100)
        case .user(let id): AudienceReach(users: id.isEmpty ? 0 : 1, devices: id.isEmpty ? 0 : 2)
        case .segment(let id, _) where id > 1_000_000:
            throw PushDraftRejected(
                faults: [FieldFault(field: .segment, text: "There is no such segment.")]
            )
        case .segment: AudienceReach(users: size.users / 4, devices: size.users / 5)
        case .filter(""):
            throw PushDraftRejected(faults: [
                FieldFault(field: .filter, text: "a filter is missing")
            ])
        case .filter: AudienceReach(users: size.users / 9, devices: size.users / 11)
        }
    }

    package func outlook(
        of draft: PushDraft,
        for member: ConsoleMember
    ) async throws -> SendOutlook {
        let reach = try await reach(of: draft, for: member)
        var outlook = SendOutlook(users: reach.users, devices: reach.devices)
        if reach.devices > 0 {
            outlook.platforms = [
                .init(name: "ios", count: reach.devices * 3 / 5),
                .init(name: "android", count: reach.devices - reach.devices * 3 / 5),
            ]
            outlook.languages = [.init(name: "ja", count: reach.users)]
        } else {
            outlook.findings = [.nobody]
        }
        return outlook
    }

    package func send(_ draft: PushDraft, for member: ConsoleMember) async throws -> Int64 {
        let number = (pushes.keys.max() ?? 0) + 1
        let reach = try await reach(of: draft, for: member)
        var figures = PushFigures()
        figures.planned = reach.devices
        let summary = PushSummary(
            number: number,
            title: draft.title,
            message: draft.message,
            audience: draft.audience,
            state: draft.deliverAt == nil ? .running : .scheduled,
            createdAt: Date(),
            deliverAt: draft.deliverAt,
            figures: figures
        )
        pushes[number] = PushDetail(summary: summary, draft: draft, author: member.name)
        if draft.deliverAt == nil { Task { await self.play(number) } }
        return number
    }

    package func send(
        _ draft: PushDraft,
        keptAs id: UUID,
        for member: ConsoleMember
    ) async throws -> Int64? {
        guard let form = forms[id] else { return nil }
        if let push = form.outcome.flatMap(Int64.init) { return push }
        let number = try await send(draft, for: member)
        forms[id]?.outcome = String(number)
        return number
    }

    package func keep(
        _ draft: FormDraft,
        seen: Int,
        for member: ConsoleMember
    ) async throws -> FormDraft {
        if let known = forms[draft.id], known.outcome != nil { return known }
        var draft = draft
        draft.revision = (forms[draft.id]?.revision ?? 0) + 1
        forms[draft.id] = draft
        return draft
    }

    package func draft(_ id: UUID, for member: ConsoleMember) async throws -> FormDraft? {
        forms[id]
    }

    package func drafts(
        _ kind: FormDraft.Kind,
        for member: ConsoleMember
    ) async throws -> [FormDraft] {
        forms.values.filter { $0.outcome == nil && $0.kind == kind }
            .sorted { $0.updatedAt > $1.updatedAt }
    }

    package func discardDraft(_ id: UUID, for member: ConsoleMember) async throws -> Bool {
        forms.removeValue(forKey: id) != nil
    }

    package func takeBackPush(number: Int64, for member: ConsoleMember) async throws -> UUID? {
        nil
    }

    package func take(
        _ step: SendStep,
        withPush number: Int64,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard var push = pushes[number] else { return false }
        switch (step, push.summary.state) {
        case (.stop, let state) where state != .done: push.summary.state = .cancelled
        case (.pause, .running): push.summary.state = .paused
        case (.resume, .paused): push.summary.state = .running
        default: return false
        }
        tell(push)
        return true
    }

    package func updatePush(
        number: Int64,
        to draft: PushDraft,
        keptAs id: UUID?,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard var push = pushes[number], push.summary.state == .scheduled else { return false }
        push.draft = draft
        push.summary.title = draft.title
        push.summary.message = draft.message
        push.summary.deliverAt = draft.deliverAt
        tell(push)
        return true
    }

    package func recipients(
        ofPush number: Int64,
        _ query: RecipientQuery,
        for member: ConsoleMember
    ) async throws -> [RecipientRow] {
        let rows = (pushes[number]?.dispatches ?? []).enumerated().map { index, dispatch in
            RecipientRow(cursor: Int64(index + 1), dispatch: dispatch)
        }
        return Array(
            rows.filter { row in
                row.cursor > query.after ?? 0
                    && (query.reason == nil || row.dispatch.reason == query.reason)
            }
            .prefix(query.limit)
        )
    }

    package func personalAttributes(for member: ConsoleMember) async throws -> [PersonalAttribute] {
        ["first_name", "last_name", "city", "language"].map {
            PersonalAttribute(name: $0, insertion: "{{${\($0)}}}")
        } + [
            PersonalAttribute(
                name: "favourite_drink",
                insertion: "{{custom_attribute.${favourite_drink}}}",
                customName: "favourite_drink"
            )
        ]
    }

    package func eventNames(for member: ConsoleMember) async throws -> [String] {
        size == .empty ? [] : ["cart_abandoned", "menu_viewed", "table_reserved"]
    }

    package func users(
        matching text: String,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> [UserChoice] {
        let names = [("yuki", "Yuki Tanaka"), ("ana", "Ana Souza"), ("taro", "Taro Yamada")]
        return names.filter { text.isEmpty || $0.0.hasPrefix(text.lowercased()) }
            .map { UserChoice(externalID: $0.0, name: $0.1) }
    }

    private func sorted() -> [PushSummary] {
        pushes.values.map(\.summary).sorted { $0.number > $1.number }
    }

    private func forget(_ id: UUID) { watchers[id] = nil }

    private func tell(_ push: PushDetail) {
        pushes[push.summary.number] = push
        for watcher in watchers.values { watcher.yield(push.summary) }
    }

    /// Delivers in ten steps, then lets a few people open it.
    private func play(_ number: Int64) async {
        if let draft = pushes[number]?.draft, let member = sessions.values.first {
            var shown = draft
            shown.previewUser = "yuki"
            let drawn = try? await preview(shown, for: member)
            await phones.receive(
                title: drawn?.title ?? "",
                body: drawn?.message ?? "",
                url: draft.url,
                pairs: draft.pairs.map { PhonePair(key: $0.key, value: $0.value) }
            )
        }
        for step in 1...10 {
            try? await Task.sleep(for: .milliseconds(300))
            guard var push = pushes[number], push.summary.state == .running else { return }
            push.summary.figures.delivered = push.summary.figures.planned * step / 10
            push.summary.figures.received = push.summary.figures.delivered * 9 / 10
            if step == 10 { push.summary.state = .done }
            tell(push)
        }
        for _ in 1...5 {
            try? await Task.sleep(for: .milliseconds(500))
            guard var push = pushes[number] else { return }
            let room = push.summary.figures.delivered - push.summary.figures.opened
            push.summary.figures.directOpens += min(room, max(1, room / 40))
            tell(push)
        }
    }
}
