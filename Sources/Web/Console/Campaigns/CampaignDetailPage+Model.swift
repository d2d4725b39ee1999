import Audience
import Campaigns
import Foundation
import Model
import Sends
import WebPages

/// One campaign: its results, its variants and its launches.
struct CampaignDetailPage {
    struct Variant {
        let name: String
        let text: String
        /// The state of the text; `nil` if it is currently sent.
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
        let revenue: String
    }

    struct Step {
        let label: String
        let address: String
        /// Whether it only links to a page with details.
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
    let funnel: MessageFunnelPart?
    let opens: OpenCurvePart?
    let experiment: CampaignExperimentPart?
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
    let rehearsalAddress: String?
    let whyAddress: String
    let listAddress: String
    let changesAddress: String

    init(
        _ campaign: Campaign,
        audience: AudienceChoice,
        results: CampaignResults,
        experiment: CampaignExperiment,
        funnel: MessageFunnel,
        opens: OpenCurve?,
        pushes: [SendReport],
        context: ConsoleContext
    ) {
        let words = context.words
        let content = campaign.content
        name = content.name
        phase = words(campaign.state.wordKey)
        tone = campaign.state.tone
        note = content.note.isEmpty ? nil : content.note
        let sent = results.variants.map(\.sent).reduce(0, +)
        let opened = results.variants.map(\.opens).reduce(0, +)
        recipients = words.number(results.recipients)
        self.funnel = MessageFunnelPart(funnel, words: words)
        self.opens = OpenCurvePart(opens, words: words)
        self.sent = words.number(sent)
        self.opened = words.number(opened)
        openRate = words.percent(opened, of: sent)
        direct = words.number(results.variants.map(\.directOpens).reduce(0, +))
        influenced = words.number(results.variants.map(\.influencedOpens).reduce(0, +))
        failed = words.number(results.variants.map(\.failed).reduce(0, +))
        control = words.counted("campaigns.control_users", results.control)
        hasControl = content.controlShare > 0
        next = campaign.nextRunAt.map(context.moment)
        self.experiment = CampaignExperimentPart(
            experiment,
            of: content,
            fileAddress: ConsolePath.exportExperiment("\(campaign.id)").path,
            words: words
        ) { context.moment($0).exact }
        variants = results.variants.map { result in
            Variant(
                name: result.name,
                text: result.text,
                standing: result.standing.wordKey.map { words($0) },
                sent: words.number(result.sent),
                direct: words.number(result.directOpens),
                influenced: words.number(result.influencedOpens),
                rate: words.percent(result.opens, of: result.sent),
                failed: words.number(result.failed)
            )
        }
        conversions = zip(content.conversions, results.conversions).map { conversion, result in
            let isPurchase = if case .purchase = conversion.event.kind { true } else { false }
            return Conversion(
                event: conversion.event.text(words),
                users: words.number(result.users),
                control: words.number(result.inControl),
                revenue: isPurchase ? words.amount(result.revenue) : "–"
            )
        }
        hasConversions = !conversions.isEmpty
        self.pushes = pushes.map { PushRow($0, context: context) }
        hasPushes = !pushes.isEmpty
        let text = content.variants.first?.message.common.message ?? PushMessage(body: "")
        banner = Banner(
            title: text.title.isEmpty ? words("push.app_name") : text.title,
            subtitle: text.subtitle,
            message: text.body
        )
        lines = CampaignLines(content, audience: audience, context: context).lines
        apiID = campaign.apiID.uuidString.lowercased()
        let mayWrite = context.hasRole(atLeast: .marketer)
        let id = String(campaign.id.rawValue)
        steps =
            mayWrite
            ? campaign.state.steps.map { step in
                Step(
                    label: words(step.wordKey),
                    address: step == .activate
                        ? ConsolePath.activateCampaign(id).path
                        : ConsolePath.campaignStep(id, step.rawValue).path,
                    isLink: step == .activate,
                    question: step.questionKey.map { words($0) },
                    // A stopped campaign has served its purpose.
                    isMain: step == .resume || (step == .activate && campaign.state == .draft),
                    isDanger: step == .stop || step == .archive
                )
            } : []
        editAddress =
            mayWrite && campaign.state != .archived ? ConsolePath.editCampaign(id).path : nil
        duplicateAddress = mayWrite ? ConsolePath.duplicateCampaign(id).path : nil
        rehearsalAddress =
            campaign.state == .archived ? nil : ConsolePath.rehearsal(.campaign, id).path
        whyAddress = DeliveryExplanationSubject.campaign(campaign.id).address
        listAddress = ConsolePath.campaigns.path
        changesAddress = ConsolePath.pushChanges.path
    }
}

extension VariantResult.Standing {
    /// The remark on a text that is no longer current; `nil` for a current one.
    fileprivate var wordKey: String? {
        switch self {
        case .current: nil
        case .earlier: "campaigns.variant_earlier"
        case .removed: "campaigns.variant_removed"
        }
    }
}
