import Audience
import Campaigns
import Experiments
import Foundation
import Model
import WebPages

/// The properties of a campaign, line by line, for the confirmation and the campaign's page.
struct CampaignLines {
    let lines: [PushReviewPage.Line]

    init(
        _ content: CampaignContent,
        audience: AudienceChoice,
        outlook: OutlookPart? = nil,
        context: ConsoleContext
    ) {
        let words = context.words
        var lines: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            if !value.isEmpty { lines.append(.init(label: words(key), value: value)) }
        }
        add("compose.audience", audience.text(words))
        if let outlook { lines += outlook.lines }
        add("compose.deliver_at", content.delivery.text(context))
        if content.extraction == .whenScheduled {
            add("compose.extraction", words("extraction.when_reserved"))
        }
        if content.variants.count > 1 {
            let all = content.variants.map(\.weight).reduce(0, +)
            add(
                "campaigns.variants",
                content.variants.map { "\($0.name) \(words.percent($0.weight, of: all))" }
                    .joined(separator: " · ")
            )
        }
        let languages = Set(
            content.variants.flatMap { ($0.message.common.message.translations ?? [:]).keys }
        )
        add(
            "compose.languages",
            languages.sorted().map(LanguageTabs.name).joined(separator: " · ")
        )
        if content.controlShare > 0 {
            add("campaigns.control", words.percent(content.controlShare, of: 100))
        }
        add("experiments.required", Self.requiredUsers(content, words))
        if let winner = content.winner {
            add(
                "campaigns.winner",
                words(
                    "campaigns.winner_text",
                    [
                        "share": words.percent(winner.testShare, of: 100),
                        "hours": words.number(max(1, Int((winner.duration / 3600).rounded()))),
                    ]
                )
            )
        }
        if case .after(let pause) = content.reeligibility {
            let days = Int((pause / 86_400).rounded(.up))
            add("campaigns.again", words.counted("campaigns.again_days", days))
        }
        for conversion in content.conversions {
            let days = max(1, Int((conversion.window / 86_400).rounded()))
            let text = words.counted("campaigns.again_days", days)
            add("campaigns.conversions", "\(conversion.event.text(words)) · \(text)")
        }
        add("campaigns.quiet", words(content.quietHours.wordKey))
        if content.isExemptFromCaps { add("campaigns.caps", words("campaigns.ignores_caps")) }
        if !content.withholdsFromControlGroup {
            add("control_group.title", words("control_group.reaches"))
        }
        if let rate = content.messagesPerMinute { add("campaigns.rate", words.number(rate)) }
        add("campaigns.tags", content.tags.joined(separator: ", "))
        let form = CampaignForm(content, audience: audience)
        lines += PushContentLines(form.push, words: words).lines
        for variant in form.variants {
            for (index, page) in variant.story.enumerated() {
                let label = words("compose.story_page", ["page": "\(index + 1)"])
                lines.append(.init(label: "\(variant.name) · \(label)", value: page.line))
            }
        }
        self.lines = lines
    }

    /// How many users an experiment needs, at rates from rare to frequent: before the start nobody
    /// knows which one it will be. Empty where nothing is compared.
    private static func requiredUsers(_ content: CampaignContent, _ words: Words) -> String {
        let planned = CampaignExperiment(planned: content)
        let sizes = [0.01, 0.05, 0.2].compactMap { rate in
            planned.requiredUsers(baseline: rate).map { users in
                words(
                    "experiments.required_at",
                    ["users": words.number(users.sequential), "rate": words.share(rate)]
                )
            }
        }
        guard !sizes.isEmpty else { return "" }
        return words(
            "experiments.required_text",
            [
                "lift": words.share(planned.smallestLift),
                "sizes": sizes.joined(separator: " · "),
            ]
        )
    }
}

/// The confirmation before a campaign is saved or activated.
struct CampaignReviewPage {
    /// The object under review.
    enum Origin {
        /// Unsaved content, for a campaign in this state; `nil` for a new one.
        case draft(FormDraft, FormFields, state: CampaignState?)
        case stored(Campaign)
    }

    struct Preview {
        let name: String
        let banner: Banner
    }

    let name: String
    let lines: [PushReviewPage.Line]
    let outlook: OutlookPart
    let previews: [Preview]
    let hidden: [PushReviewPage.Hidden]
    let action: String
    let editAddress: String
    /// `nil` for what is not saved, or has changes that are not.
    let rehearsalAddress: String?
    /// `nil` if it cannot be activated, or is already active.
    let activateLabel: String?
    /// `nil` if there is nothing to save.
    let saveLabel: String?
    let isSaveMain: Bool

    init(
        _ content: CampaignContent,
        audience: AudienceChoice,
        previews: [PushMessage],
        outlook: SendOutlook,
        from origin: Origin,
        context: ConsoleContext
    ) {
        let words = context.words
        name = content.name
        self.outlook = OutlookPart(outlook, context: context)
        lines =
            CampaignLines(
                content,
                audience: audience,
                outlook: self.outlook,
                context: context
            ).lines
        self.previews = zip(content.variants, previews).map { variant, preview in
            Preview(
                name: variant.name,
                banner: Banner(
                    title: preview.title.isEmpty ? words("push.app_name") : preview.title,
                    subtitle: preview.subtitle,
                    message: preview.body
                )
            )
        }
        let begins =
            content.delivery != .immediately
            ? nil
            : outlook.first == outlook.users
                ? words.counted("review.send_to", outlook.users)
                : words.counted("review.send_to_about", outlook.first)
        switch origin {
        case .draft(let kept, let fields, let state):
            let isRunning = state == .active || state == .paused
            hidden = PushReviewPage.Hidden.all(of: kept, fields)
            action = ConsolePath.saveCampaign.path
            editAddress = ConsolePath.draft(.campaign, kept.id.uuidString).path
            rehearsalAddress = nil
            activateLabel =
                isRunning || outlook.isBlocked
                ? nil : begins ?? words("campaigns.save_and_activate")
            saveLabel = words(state == nil ? "campaigns.save_draft" : "in_app.save_changes")
            isSaveMain = isRunning
        case .stored(let campaign):
            let id = String(campaign.id.rawValue)
            hidden = [
                PushReviewPage.Hidden(
                    name: "version",
                    value: String(campaign.updatedAt.milliseconds)
                )
            ]
            action = ConsolePath.activateCampaign(id).path
            editAddress = ConsolePath.editCampaign(id).path
            rehearsalAddress = ConsolePath.rehearsal(.campaign, id).path
            activateLabel = outlook.isBlocked ? nil : begins ?? words("campaigns.step.activate")
            saveLabel = nil
            isSaveMain = false
        }
    }
}
