import Model
import WebPages

/// One campaign: what came of it, its variants and its launches.
struct CampaignDetailPage {
    struct Variant {
        let name: String
        let text: String
        /// What became of it; `nil` for a text that is sent now.
        let standing: String?
        let sent: String
        let direct: String
        let influenced: String
        let rate: String
        let failed: String
    }

    struct Conversion {
        let event: String
        let users: String
        let control: String
    }

    struct Step {
        let label: String
        let address: String
        /// Whether it only leads to a page that says more.
        let isLink: Bool
        let question: String?
        let isMain: Bool
        let isDanger: Bool
    }

    let name: String
    let phase: String
    let tone: String
    let note: String?
    let recipients: String
    let sent: String
    let opened: String
    let openRate: String
    let direct: String
    let influenced: String
    let failed: String
    let control: String
    let hasControl: Bool
    let next: Moment?
    let variants: [Variant]
    let conversions: [Conversion]
    let hasConversions: Bool
    let pushes: [PushRow]
    let hasPushes: Bool
    let banner: Banner
    let lines: [PushReviewPage.Line]
    let apiID: String
    let steps: [Step]
    let editAddress: String?
    let duplicateAddress: String?
    let whyAddress: String?
    let listAddress: String
    let changesAddress: String

    init(_ detail: CampaignDetail, hasWhy: Bool, visit: Visit) {
        let words = visit.words
        let row = detail.row
        name = row.name
        phase = words(row.phase.wordKey)
        tone = row.phase.tone
        note = detail.draft.note.isEmpty ? nil : detail.draft.note
        let sum = VariantResult(
            name: "",
            text: "",
            sent: detail.variants.map(\.sent).reduce(0, +),
            directOpens: detail.variants.map(\.directOpens).reduce(0, +),
            influencedOpens: detail.variants.map(\.influencedOpens).reduce(0, +),
            failed: detail.variants.map(\.failed).reduce(0, +)
        )
        recipients = words.number(detail.recipients)
        sent = words.number(sum.sent)
        opened = words.number(sum.directOpens + sum.influencedOpens)
        openRate = words.percent(sum.directOpens + sum.influencedOpens, of: sum.sent)
        direct = words.number(sum.directOpens)
        influenced = words.number(sum.influencedOpens)
        failed = words.number(sum.failed)
        control = words.counted("campaigns.control_users", detail.control)
        hasControl = detail.draft.controlShare > 0
        next = row.nextAt.map(visit.moment)
        variants = detail.variants.map { result in
            Variant(
                name: result.name,
                text: result.text,
                standing: result.standing.wordKey.map { words($0) },
                sent: words.number(result.sent),
                direct: words.number(result.directOpens),
                influenced: words.number(result.influencedOpens),
                rate: words.percent(result.directOpens + result.influencedOpens, of: result.sent),
                failed: words.number(result.failed)
            )
        }
        conversions = zip(detail.draft.conversions, detail.conversions).map { draft, result in
            Conversion(
                event: draft.event.isEmpty ? words("timeline.purchase") : draft.event,
                users: words.number(result.users),
                control: words.number(result.inControl)
            )
        }
        hasConversions = !conversions.isEmpty
        pushes = detail.pushes.map { PushRow($0, visit: visit) }
        hasPushes = !pushes.isEmpty
        let text = detail.draft.variants.first?.text ?? VariantText()
        banner = Banner(
            title: text.title.isEmpty ? words("push.app_name") : text.title,
            subtitle: text.subtitle,
            message: text.message
        )
        lines = CampaignLines(detail.draft, visit: visit).lines
        apiID = detail.apiID
        let mayWrite = visit.may(.marketer)
        let id = String(row.id)
        steps =
            mayWrite
            ? row.phase.steps.map { step in
                Step(
                    label: words(step.wordKey),
                    address: step == .activate
                        ? ConsolePath.activateCampaign(id).path
                        : ConsolePath.campaignStep(id, step.rawValue).path,
                    isLink: step == .activate,
                    question: step.questionKey.map { words($0) },
                    // One that has ended has done what it was for.
                    isMain: step == .resume || (step == .activate && row.phase == .draft),
                    isDanger: step == .stop || step == .archive
                )
            } : []
        editAddress =
            mayWrite && row.phase != .archived ? ConsolePath.editCampaign(id).path : nil
        duplicateAddress = mayWrite ? ConsolePath.duplicateCampaign(id).path : nil
        whyAddress = hasWhy ? WhySubject.campaign(row.id).address() : nil
        listAddress = ConsolePath.campaigns.path
        changesAddress = ConsolePath.pushChanges.path
    }
}

extension VariantResult.Standing {
    /// What is said beside a text that is no longer the campaign's; nothing beside its own.
    fileprivate var wordKey: String? {
        switch self {
        case .current: nil
        case .earlier: "campaigns.variant_earlier"
        case .removed: "campaigns.variant_removed"
        }
    }
}
