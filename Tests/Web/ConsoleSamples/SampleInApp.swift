import Console
import Foundation
import Model

/// In-app messages kept in memory; Liquid counts as readable when its tags close.
package actor SampleInApp: InAppPages {
    private var kept: [String: (draft: InAppDraft, phase: InAppPhase)] = [:]
    private var figures: [String: InAppFigures] = [:]
    private let users: Int
    private let now: Date

    package init(size: SampleSize, now: Date) {
        self.now = now
        users = size.users
        guard size != .empty else { return }
        kept["m-1"] = (Self.welcome, .active)
        kept["m-2"] = (Self.page, .paused)
        kept["m-3"] = (Self.strip(now), .draft)
        for (index, id) in ["m-1", "m-2"].enumerated() {
            var counted = InAppFigures()
            counted.users = size.users / (index + 2)
            counted.impressions = counted.users + counted.users / 5
            counted.bodyClicks = counted.users / 20
            counted.buttonClicks =
                index == 0 ? ["0": counted.users / 4, "1": counted.users / 9] : ["more": 3]
            counted.dismissals = counted.users / 3
            figures[id] = counted
        }
        guard size == .large else { return }
        for number in 4...90 {
            var draft = Self.welcome
            draft.name = "Welcome #\(number)"
            kept["m-\(number)"] = (draft, number % 3 == 0 ? .archived : .active)
        }
    }

    private static var welcome: InAppDraft {
        var draft = InAppDraft()
        draft.name = "A tea for a new guest"
        draft.first.header = "Welcome, {{${first_name} | default: 'dear guest'}}"
        draft.first.text = "ようこそ！ Show this at the counter and the first cup is on us."
        draft.first.imageURL = "https://aoi.example/pictures/first-cup.jpg"
        draft.first.imageAlt = "A cup of sencha"
        draft.first.buttons = [
            InAppButton(
                id: "0",
                text: "Show the menu",
                click: .url("teahouse://menu", isInside: false),
                colors: ["background": "#FF1F7A4D", "text": "#FFFFFFFF"]
            ),
            InAppButton(id: "1", text: "Tell me news", click: .pushPermission),
        ]
        draft.first.colors = InAppColors(
            light: ["background": "#FFFFF8EE", "header": "#FF1F7A4D"],
            dark: ["background": "#FF17261E"]
        )
        draft.triggers = [
            InAppTrigger(
                kind: .event,
                name: "menu_viewed",
                conditions: [InAppCondition(property: "visits", test: .less, value: "3")]
            ),
            InAppTrigger(kind: .sessionStart),
        ]
        var strip = InAppContent()
        strip.kind = .slideup
        strip.text = "The first cup is on us: show this at the counter."
        draft.contents.append(strip)
        draft.weights = [1, 1]
        draft.controlShare = 10
        draft.pairs = [PushPair(key: "view_type", value: "picker")]
        return draft
    }

    private static var page: InAppDraft {
        var draft = InAppDraft()
        draft.name = "秋のアンケート"
        draft.first.kind = .html
        draft.first.text = "<h1 style=\"color: #b03512\">How was it?</h1><a href=\"#\">More</a>"
        draft.triggers = [InAppTrigger(kind: .purchase)]
        draft.impressionLimit = nil
        draft.intervalSeconds = 7 * 86_400
        return draft
    }

    private static func strip(_ now: Date) -> InAppDraft {
        var draft = InAppDraft()
        draft.name = "Novo horário de sábado"
        draft.first.kind = .slideup
        draft.first.text = "Aos sábados abrimos às 8 horas."
        draft.triggers = [InAppTrigger(kind: .pushOpen)]
        draft.audience = .segment(id: 1, name: "Tokyo")
        draft.startsAt = now
        draft.endsAt = now.addingTimeInterval(14 * 86_400)
        return draft
    }

    private func row(_ id: String) -> InAppRow? {
        guard let (draft, phase) = kept[id] else { return nil }
        return InAppRow(
            id: id,
            name: draft.name,
            kind: draft.first.kind,
            phase: phase,
            triggers: draft.triggers,
            startsAt: draft.startsAt,
            endsAt: draft.endsAt,
            figures: figures[id] ?? InAppFigures(),
            changedAt: now.addingTimeInterval(-86_400)
        )
    }

    package func messages(
        _ query: InAppListQuery,
        for member: ConsoleMember
    ) async throws -> InAppList {
        let found = kept.keys.sorted().compactMap(row).filter { row in
            (query.state == nil || row.phase == query.state)
                && (query.text.isEmpty || row.name.localizedCaseInsensitiveContains(query.text))
        }
        let page = found.dropFirst(query.page.offset).prefix(query.page.size)
        return InAppList(rows: Array(page), total: found.count)
    }

    package func sketch(id: String, for member: ConsoleMember) async throws -> InAppSketch? {
        guard let row = row(id), let (draft, _) = kept[id] else { return nil }
        return InAppSketch(row: row, draft: draft)
    }

    package func report(
        of id: String,
        days: Int,
        for member: ConsoleMember
    ) async throws -> InAppReport {
        let counted = figures[id] ?? InAppFigures()
        return InAppReport(
            figures: counted,
            days: (0..<days).map { day in
                InAppDay(
                    day: now.addingTimeInterval(Double(day - days + 1) * 86_400),
                    impressions: counted.impressions * (day % 7 + 1) / 120,
                    clicks: counted.clicks * (day % 5 + 1) / 120,
                    dismissals: counted.dismissals * (day % 3 + 1) / 120
                )
            },
            variants: (kept[id]?.draft.contents ?? []).enumerated().map { index, content in
                var half = counted
                half.users = counted.users / (index + 2)
                half.impressions = counted.impressions / (index + 2)
                half.bodyClicks = counted.bodyClicks / (index + 3)
                half.buttonClicks = counted.buttonClicks.mapValues { $0 / (index + 3) }
                return InAppVariantResult(.current, text: content.text, figures: half)
            },
            control: counted.users / 10
        )
    }

    package func contacts(
        of id: String,
        _ query: InAppContactQuery,
        for member: ConsoleMember
    ) async throws -> [InAppContact] {
        guard let counted = figures[id] else { return [] }
        let kinds: [InAppContact.Kind] = [.impression, .button, .dismissed, .click]
        let all = (1...max(1, min(counted.impressions, 40))).map { number in
            let kind = kinds[number % kinds.count]
            return InAppContact(
                cursor: Int64(41 - number),
                userID: Int64(number % 9 + 1),
                userName: ["yuki", "ada", "sora", "bruna"][number % 4],
                kind: kind,
                button: kind == .button ? String(number / 4 % 2) : nil,
                at: now.addingTimeInterval(Double(-number) * 700)
            )
        }
        let found = all.filter { contact in
            let isInPart =
                switch query.part {
                case .all: true
                case .impressions: contact.kind == .impression
                case .clicks: contact.kind == .click || contact.kind == .button
                case .dismissals: contact.kind == .dismissed
                }
            return isInPart && (query.button == nil || query.button == contact.button)
                && contact.cursor < query.before ?? .max
        }
        return Array(found.prefix(query.limit))
    }

    package func save(
        _ draft: InAppDraft,
        id: String?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> String {
        guard kept.allSatisfy({ $0.key == id || $0.value.draft.name != draft.name }) else {
            throw InAppRejected(faults: [FormFault(field: "name", text: "is taken")])
        }
        let id = id ?? "m-\(kept.count + 1)"
        kept[id] = (draft, kept[id]?.phase ?? .draft)
        return id
    }

    package func activate(
        _ id: String,
        version: Date,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard let phase = kept[id]?.phase, [.draft, .paused].contains(phase) else { return false }
        kept[id]?.phase = .active
        return true
    }

    package func outlook(of id: String, for member: ConsoleMember) async throws -> SendOutlook? {
        guard kept[id] != nil else { return nil }
        return SendOutlook(users: 900, devices: 0)
    }

    package func perform(
        _ step: InAppStep,
        onMessage id: String,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard let phase = kept[id]?.phase else { return false }
        switch (step, phase) {
        case (.pause, .active): kept[id]?.phase = .paused
        case (.archive, .draft), (.archive, .paused): kept[id]?.phase = .archived
        default: return false
        }
        return true
    }

    package func preview(
        _ draft: InAppDraft,
        variant: Int,
        for member: ConsoleMember
    ) async throws -> InAppPreview {
        let content =
            draft.contents.indices.contains(variant) ? draft.contents[variant] : draft.first
        var preview = InAppPreview(content: content)
        let name = draft.previewUser.isEmpty ? "dear guest" : draft.previewUser
        preview.content.header = content.header.replacingOccurrences(
            of: "{{${first_name} | default: 'dear guest'}}",
            with: name
        )
        if preview.content.header.contains("{{"), !preview.content.header.contains("}}") {
            preview.faults = [
                FormFault(
                    field: "v\(variant).header",
                    text: "Liquid syntax error: the tag is not closed"
                )
            ]
        }
        return preview
    }

    package func reach(of audience: PushAudience, for member: ConsoleMember) async throws -> Int? {
        switch audience {
        case .everyone: return users
        case .filter(""):
            throw InAppRejected(faults: [FormFault(field: "filter", text: "a filter is missing")])
        default: return users / 3
        }
    }
}
