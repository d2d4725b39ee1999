import Analytics
import Audience
import Campaigns
import Console
import Foundation
import Model
import Ports
import Sends

/// Answers the console's questions about campaigns.
struct CampaignsAdapter: CampaignPages {
    private static let shownLaunches = 10
    private static let shownRuns = 3

    let pages: ConsoleAdapter
    let store: any Store
    let campaigns: CampaignService
    let makeID: @Sendable () -> UUID

    func campaigns(
        _ query: CampaignListQuery,
        for member: ConsoleMember
    ) async throws -> CampaignList {
        let found = try await store.campaigns(
            in: WorkspaceID(member.workspaceID),
            matching: CampaignQuery(
                text: query.text,
                states: query.state.flatMap { CampaignState(rawValue: $0.rawValue) }
                    .map { [$0] } ?? [],
                limit: query.page.size,
                offset: query.page.offset
            )
        )
        return CampaignList(rows: found.campaigns.map(CampaignRow.init), total: found.total)
    }

    func campaign(id: Int64, for member: ConsoleMember) async throws -> CampaignDetail? {
        guard let campaign = try await own(id, member) else { return nil }
        let counts = try await pages.figures.value(
            of: .workspace(campaign.workspace),
            "campaign \(id) \(campaign.updatedAt.timeIntervalSince1970)"
        ) {
            (
                figures: try await CampaignReports(store: store).figures(of: campaign),
                control: try await store.enrolment(of: campaign.id)[nil] ?? 0
            )
        }
        let figures = counts.figures
        let results = Self.results(
            of: campaign.content,
            try await store.variantRecords(of: campaign.id),
            figures.variants
        )
        let sends = try await store.sends(of: campaign.id, limit: Self.shownLaunches, offset: 0)
        return CampaignDetail(
            row: CampaignRow(campaign),
            draft: try await CampaignDraft(
                campaign.content,
                audience: pages.choices.choice(of: campaign.content.audience)
            ),
            apiID: campaign.apiID.uuidString.lowercased(),
            recipients: figures.uniqueRecipients,
            variants: results,
            control: counts.control,
            conversions: figures.conversions.map { found in
                ConversionResult(
                    users: Set(found.filter { $0.variant != nil }.map(\.profile)).count,
                    inControl: Set(found.filter { $0.variant == nil }.map(\.profile)).count
                )
            },
            pushes: try await pages.summaries(of: sends)
        )
    }

    /// The present texts in their order, then those that were sent before them.
    private static func results(
        of content: CampaignContent,
        _ records: [CampaignVariantRecord],
        _ figures: [VariantFigures]
    ) -> [VariantResult] {
        func result(
            _ number: Int,
            _ name: String,
            _ message: CampaignMessage,
            _ standing: VariantResult.Standing
        ) -> VariantResult {
            let parts = figures.filter { $0.variant == number }
            let direct = parts.map(\.directOpens).reduce(0, +)
            return VariantResult(
                name: name,
                text: message.common.message.body,
                standing: standing,
                sent: parts.map(\.sent).reduce(0, +),
                directOpens: direct,
                influencedOpens: parts.map(\.totalOpens).reduce(0, +) - direct,
                failed: parts.map(\.bounces).reduce(0, +)
            )
        }
        let present = content.variants.indices.map { index in
            let variant = content.variants[index]
            return result(
                content.number(ofVariantAt: index),
                variant.name,
                variant.message,
                .current
            )
        }
        let numbers = Set(content.variants.indices.map(content.number(ofVariantAt:)))
        let ids = Set(content.variants.map(\.apiID))
        let past = records.filter { !numbers.contains($0.number) }.map { record in
            result(
                record.number,
                record.name,
                record.message,
                ids.contains(record.apiID) ? .earlier : .removed
            )
        }
        return present + past.filter { $0.sent > 0 || $0.failed > 0 }
    }

    func campaignSketch(
        id: Int64,
        for member: ConsoleMember
    ) async throws -> CampaignSketch? {
        guard let campaign = try await own(id, member) else { return nil }
        return CampaignSketch(
            row: CampaignRow(campaign),
            draft: try await CampaignDraft(
                campaign.content,
                audience: pages.choices.choice(of: campaign.content.audience)
            )
        )
    }

    func saveCampaign(
        _ draft: CampaignDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64 {
        let workspace = WorkspaceID(member.workspaceID)
        let known = if let id { try await own(id, member) } else { Campaign?.none }
        let content = try await content(of: draft, known: known?.content, for: member)
        do {
            guard let known else {
                return try await campaigns.create(content, in: workspace, from: origin).id
                    .rawValue
            }
            try await campaigns.update(known, to: content, from: origin)
            return known.id.rawValue
        } catch let problems as PushProblems {
            throw CampaignRejected(faults: problems.problems.map(FormFault.init))
        } catch let refusal as CampaignRefusal {
            throw CampaignRejected(faults: [FormFault(field: "", text: refusal.description)])
        }
    }

    /// What a draft asks for.
    ///
    /// - Throws: `CampaignRejected`.
    private func content(
        of draft: CampaignDraft,
        known: CampaignContent?,
        for member: ConsoleMember
    ) async throws -> CampaignContent {
        do {
            let workspace = WorkspaceID(member.workspaceID)
            let audience = try await pages.resolve(draft.common.audience, in: workspace)
            return try CampaignContent(
                draft,
                audience: audience,
                zone: member.timeZone,
                known: known,
                makeID: makeID
            )
        } catch let problems as PushProblems {
            throw CampaignRejected(faults: problems.problems.map(FormFault.init))
        } catch let rejected as PushDraftRejected {
            throw CampaignRejected(faults: rejected.faults.map { FormFault($0) })
        }
    }

    func perform(
        _ step: CampaignStep,
        onCampaign id: Int64,
        for member: ConsoleMember
    ) async throws -> Bool {
        try await move(id, member) { campaign in
            switch step {
            case .activate: try await campaigns.activate(campaign)
            case .pause: try await campaigns.pause(campaign)
            case .resume: try await campaigns.resume(campaign)
            case .stop: try await campaigns.stop(campaign)
            case .archive: try await campaigns.archive(campaign)
            }
        }
    }

    func activate(
        _ id: Int64,
        version: Date,
        for member: ConsoleMember
    ) async throws -> Bool {
        try await move(id, member) { try await campaigns.activate($0, version: version) }
    }

    /// Whether the campaign is there and could be moved.
    private func move(
        _ id: Int64,
        _ member: ConsoleMember,
        _ step: (Campaign) async throws -> Void
    ) async throws -> Bool {
        guard let campaign = try await own(id, member) else { return false }
        do {
            try await step(campaign)
            return true
        } catch is CampaignRefusal {
            return false
        } catch let problems as PushProblems {
            throw CampaignRejected(faults: problems.problems.map(FormFault.init))
        }
    }

    func outlook(
        of draft: CampaignDraft,
        for member: ConsoleMember
    ) async throws -> SendOutlook {
        let workspace = WorkspaceID(member.workspaceID)
        do {
            let content = try await content(of: draft, known: nil, for: member)
            return try await pages.review.outlook(
                of: SendReview.Request(
                    content,
                    runs: campaigns.nextRuns(of: content, limit: Self.shownRuns)
                ),
                in: workspace
            )
        } catch let problem as AudienceProblem {
            let fault = FieldFault(field: .segment, text: problem.message)
            throw CampaignRejected(faults: [FormFault(fault)])
        }
    }

    /// A campaign of the member's own workspace.
    private func own(_ id: Int64, _ member: ConsoleMember) async throws -> Campaign? {
        let campaign = try await store.campaign(CampaignID(id))
        return campaign?.workspace == WorkspaceID(member.workspaceID) ? campaign : nil
    }
}

extension CampaignRow {
    fileprivate init(_ campaign: Campaign) {
        let phase: CampaignPhase =
            switch campaign.state {
            case .draft: .draft
            case .active: .active
            case .paused: .paused
            case .stopped: .stopped
            case .archived: .archived
            }
        let timing: CampaignTiming.Kind =
            switch campaign.content.delivery {
            case .immediately: .now
            case .scheduled: .scheduled
            case .actionBased: .action
            case .apiTriggered: .api
            }
        self.init(
            id: campaign.id.rawValue,
            name: campaign.content.name,
            phase: phase,
            timing: timing,
            nextAt: campaign.state == .active ? campaign.nextDueAt : nil,
            lastAt: campaign.lastSentAt,
            changedAt: campaign.updatedAt,
            activatedAt: campaign.activatedAt
        )
    }
}

extension FormFault {
    /// The wizard's field of a problem of the services.
    fileprivate init(_ problem: PushProblems.Problem) {
        let parts = problem.field.split(separator: ".").map(String.init)
        let texts = [
            "title": "title", "subtitle": "subtitle", "body": "message", "uri": "url",
            "attachment": "image",
        ]
        let field: String
        switch parts.first {
        case "variants" where parts.count > 2:
            let last = parts.last ?? ""
            let platform = AppPlatform(rawValue: parts[2])
            let prefix = "v\(parts[1])." + (platform.map { $0.rawValue + "." } ?? "")
            field = texts[last].map { prefix + $0 } ?? (last == "weight" ? prefix + last : "pairs")
        case "delivery": field = parts.contains("event") ? "triggerEvent" : "day"
        case "control_share": field = "controlShare"
        case "winner": field = "testShare"
        case "messages_per_minute": field = "rate"
        case "reeligibility": field = "againDays"
        case let first?: field = first
        case nil: field = ""
        }
        self.init(field: field, text: problem.message)
    }
}
