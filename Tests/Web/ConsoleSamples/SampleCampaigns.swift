import Console
import Foundation
import Model

/// Campaigns kept in memory.
package actor SampleCampaigns: CampaignPages {
    private var items: [Int64: CampaignDetail] = [:]
    private let now: Date

    package init(size: SampleSize, now: Date) {
        self.now = now
        guard size != .empty else { return }
        let names = ["Welcome", "誕生日クーポン", "Carrinho abandonado", "Weekly menu"]
        let count = size == .small ? names.count : 60
        var made: [Int64: CampaignDetail] = [:]
        for number in 1...count {
            var draft = CampaignDraft()
            draft.name = number <= names.count ? names[number - 1] : "Campaign \(number)"
            var first = VariantDraft()
            first.name = "A"
            first.text.title = "Kissa Aoi"
            first.text.message = "Hello {{${first_name}}}, your table by the window is free."
            var second = first
            second.name = "B"
            second.text.message = "The window table is free, {{${first_name}}}!"
            second.own[.android] = {
                var text = VariantText()
                text.message = "Window table free!"
                return text
            }()
            draft.variants = number % 2 == 0 ? [first, second] : [first]
            draft.controlShare = number % 2 == 0 ? 10 : 0
            draft.conversions =
                number % 2 == 0 ? [ConversionDraft(event: "table_reserved", days: 3)] : []
            let kinds = CampaignTiming.Kind.allCases
            draft.timing.kind = kinds[number % kinds.count]
            draft.timing.day = "2026-12-24"
            draft.timing.time = "09:30"
            draft.timing.event = "cart_abandoned"
            draft.timing.delayMinutes = 60
            let phases = CampaignPhase.allCases
            let sent = size.users / (number + 1)
            made[Int64(number)] = CampaignDetail(
                row: Self.row(Int64(number), draft, phases[number % phases.count], now),
                draft: draft,
                apiID: "5e1c5d0a-6f0b-4c51-9d4e-2a3a5b6c7d8e",
                recipients: sent,
                variants: draft.variants.map { variant in
                    VariantResult(
                        name: variant.name,
                        text: variant.text.message,
                        sent: sent / draft.variants.count,
                        directOpens: sent / 11,
                        influencedOpens: sent / 23,
                        failed: sent / 90
                    )
                },
                control: draft.controlShare > 0 ? sent / 9 : 0,
                conversions: draft.conversions.map { _ in
                    ConversionResult(users: sent / 14, inControl: sent / 200)
                },
                pushes: Array(
                    SamplePushes.make(12, users: size.users, now: now).map(\.summary).prefix(3)
                )
            )
        }
        items = made
    }

    package func campaigns(
        _ query: CampaignListQuery,
        for member: ConsoleMember
    ) async throws -> CampaignList {
        let found = items.values.map(\.row).sorted { $0.id > $1.id }.filter { row in
            (query.state == nil || row.phase == query.state)
                && (query.text.isEmpty || row.name.localizedCaseInsensitiveContains(query.text))
        }
        let page = found.dropFirst(query.page.offset).prefix(query.page.size)
        return CampaignList(rows: Array(page), total: found.count)
    }

    package func campaign(id: Int64, for member: ConsoleMember) async throws -> CampaignDetail? {
        items[id]
    }

    package func campaignSketch(
        id: Int64,
        for member: ConsoleMember
    ) async throws -> CampaignSketch? {
        try await campaign(id: id, for: member).map {
            CampaignSketch(row: $0.row, draft: $0.draft)
        }
    }

    package func saveCampaign(
        _ draft: CampaignDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64 {
        if draft.name == "taken" {
            throw CampaignRejected(faults: [FormFault(field: "name", text: "is taken")])
        }
        let number = id ?? (items.keys.max() ?? 0) + 1
        let phase = items[number]?.row.phase ?? .draft
        items[number] = CampaignDetail(
            row: Self.row(number, draft, phase, now),
            draft: draft,
            apiID: "1b2c5d0a-6f0b-4c51-9d4e-2a3a5b6c7d8e",
            variants: draft.variants.map { variant in
                VariantResult(
                    name: variant.name,
                    text: variant.text.message,
                    sent: 0,
                    directOpens: 0,
                    influencedOpens: 0,
                    failed: 0
                )
            },
            conversions: draft.conversions.map { _ in ConversionResult(users: 0, inControl: 0) }
        )
        return number
    }

    package func perform(
        _ step: CampaignStep,
        onCampaign id: Int64,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard var item = items[id] else { return false }
        let next: [CampaignPhase: [CampaignStep: CampaignPhase]] = [
            .draft: [.activate: .active, .archive: .archived],
            .active: [.pause: .paused, .stop: .stopped],
            .paused: [.resume: .active, .stop: .stopped],
            .stopped: [.activate: .active, .archive: .archived],
        ]
        guard let phase = next[item.row.phase]?[step] else { return false }
        item.row.phase = phase
        items[id] = item
        return true
    }

    package func activate(
        _ id: Int64,
        version: Date,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard items[id]?.row.changedAt == version else { return false }
        return try await perform(.activate, onCampaign: id, for: member)
    }

    package func outlook(
        of draft: CampaignDraft,
        for member: ConsoleMember
    ) async throws -> SendOutlook {
        SendOutlook(
            users: 900,
            devices: 1140,
            platforms: [.init(name: "ios", count: 640), .init(name: "android", count: 500)],
            languages: [.init(name: "ja", count: 700), .init(name: "", count: 200)],
            first: 900 * (100 - draft.controlShare) / 100
        )
    }

    private static func row(
        _ id: Int64,
        _ draft: CampaignDraft,
        _ phase: CampaignPhase,
        _ now: Date
    ) -> CampaignRow {
        CampaignRow(
            id: id,
            name: draft.name,
            phase: phase,
            timing: draft.timing.kind,
            nextAt: phase == .active ? now.addingTimeInterval(86_400) : nil,
            lastAt: phase == .draft ? nil : now.addingTimeInterval(-86_400),
            changedAt: now.addingTimeInterval(-3600)
        )
    }
}
