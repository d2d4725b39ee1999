import Foundation
import Model
import WebPages

/// The campaign wizard: message, audience, schedule; the confirmation is a page of its own.
struct CampaignPage {
    struct Choice {
        let value: String
        let label: String
        let help: String
        let isChosen: Bool
    }

    struct Fault {
        let field: String
        let text: String
    }

    struct Text {
        /// What the names of its fields begin with.
        let prefix: String
        let platform: String
        let label: String
        let isOwn: Bool
        let isCommon: Bool
        let title: String
        let subtitle: String
        let message: String
        let url: String
        let image: String
        let messageFault: String?
        let urlFault: String?
        let imageFault: String?
    }

    struct Variant {
        let number: Int
        let id: String
        let letter: String
        let name: String
        let weight: String
        let weightFault: String?
        let texts: [Text]
        let isOnly: Bool
        let removeLabel: String
    }

    struct Conversion {
        let event: String
        let days: String
        let position: Int
    }

    let heading: String
    /// Users get variants of it now.
    let isExperimentRunning: Bool
    let form: CampaignForm
    let composer: PushComposerPage
    let faults: [Fault]
    let hasFaults: Bool
    /// What is wrong with a field, by its name.
    let fault: [String: String]
    let variants: [Variant]
    let timings: [Choice]
    let repeats: [Choice]
    let weekdays: [Choice]
    let quiet: [Choice]
    let delayUnits: [Choice]
    let isPurchase: Bool
    let isAgain: Bool
    let conversions: [Conversion]
    /// The zones whose clock it may follow: the workspace's, and the one it was made with.
    let zones: [SettingsChoice]
    let reviewAddress: String
    let listAddress: String
    /// What is kept of it while it is written.
    let draft: DraftFrame?

    init(
        _ form: CampaignForm,
        draft: DraftFrame?,
        isExperimentRunning: Bool,
        composer: PushComposerPage,
        faults: [FormFault],
        visit: Visit
    ) {
        let words = visit.words
        self.form = form
        self.composer = composer
        self.draft = draft
        self.isExperimentRunning = isExperimentRunning
        heading =
            draft?.subject.isEmpty != false || form.name.isEmpty
            ? words("campaigns.new") : form.name
        self.faults = faults.map {
            Fault(field: $0.field, text: words.said($0.text))
        }
        let fault = Dictionary(
            self.faults.map { ($0.field, $0.text) },
            uniquingKeysWith: { first, _ in first }
        )
        self.fault = fault
        hasFaults = !faults.isEmpty
        variants = form.variants.enumerated().map { number, variant in
            Variant(
                number: number,
                id: variant.id,
                letter: CampaignForm.letter(number),
                name: variant.name,
                weight: form.weights.indices.contains(number) ? form.weights[number] : "",
                weightFault: fault["v\(number).weight"],
                texts: Self.texts(of: variant, number, fault, words),
                isOnly: form.variants.count == 1,
                removeLabel: words("campaigns.remove_variant", ["name": variant.name])
            )
        }
        timings = CampaignTiming.Kind.allCases.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                help: words($0.helpKey),
                isChosen: $0 == form.timing
            )
        }
        repeats = CampaignTiming.Repeat.allCases.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                help: "",
                isChosen: $0 == form.repeats
            )
        }
        weekdays = (1...7).map {
            Choice(
                value: String($0),
                label: words.weekday($0),
                help: "",
                isChosen: form.weekdays.contains($0)
            )
        }
        quiet = QuietChoice.allCases.map {
            Choice(
                value: $0.rawValue,
                label: words($0.wordKey),
                help: "",
                isChosen: $0 == form.quietHours
            )
        }
        delayUnits = [
            ("minutes", "campaigns.minutes"), ("hours", "campaigns.hours"),
            ("days", "campaigns.days"),
        ]
        .map { unit, key in
            Choice(
                value: unit,
                label: words(key),
                help: "",
                isChosen: unit == form.delayUnit
            )
        }
        isPurchase = form.triggerKind == "purchase"
        isAgain = form.again == "after"
        let rows = Array(zip(form.conversionEvents, form.conversionDays))
            .filter { !$0.0.isEmpty }
        conversions = (rows + (rows.count < 4 ? [("", "")] : [])).enumerated().map { index, row in
            Conversion(event: row.0, days: row.1, position: index + 1)
        }
        let own = form.zone.isEmpty ? visit.zone.identifier : form.zone
        zones = [own, visit.zone.identifier].enumerated().filter {
            $0.offset == 0 || $0.element != own
        }
        .map { SettingsChoice(value: $1, label: $1, isChosen: $1 == own && !form.isLocal) }
        reviewAddress = ConsolePath.reviewCampaign.path
        listAddress = ConsolePath.campaigns.path
    }

    private static func texts(
        of variant: VariantDraft,
        _ number: Int,
        _ faults: [String: String],
        _ words: Words
    ) -> [Text] {
        func text(_ platform: AppPlatform?, _ value: VariantText) -> Text {
            let prefix = "v\(number)." + (platform.map { $0.rawValue + "." } ?? "")
            func fault(_ name: String) -> String? { faults[prefix + name] }
            return Text(
                prefix: prefix,
                platform: platform?.rawValue ?? "all",
                label: platform.map { words($0.wordKey) } ?? words("campaigns.all_platforms"),
                isOwn: !value.isEmpty,
                isCommon: platform == nil,
                title: value.title,
                subtitle: value.subtitle,
                message: value.message,
                url: value.url,
                image: value.imageURL,
                messageFault: fault("message"),
                urlFault: fault("url"),
                imageFault: fault("image")
            )
        }
        return [text(nil, variant.text)]
            + AppPlatform.allCases.map { text($0, variant.own[$0] ?? VariantText()) }
    }
}

/// What a campaign is, line by line; the confirmation and the campaign's own page show it.
struct CampaignLines {
    let lines: [PushReviewPage.Line]

    init(_ draft: CampaignDraft, outlook: OutlookPart? = nil, visit: Visit) {
        let words = visit.words
        var lines: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            if !value.isEmpty { lines.append(.init(label: words(key), value: value)) }
        }
        add("compose.audience", draft.common.audience.text(words))
        if let outlook { lines += outlook.lines }
        add("compose.deliver_at", draft.timing.text(visit))
        if draft.common.extraction == .whenReserved, draft.timing.kind == .scheduled {
            add("compose.extraction", words("extraction.when_reserved"))
        }
        if draft.variants.count > 1 {
            add(
                "campaigns.variants",
                draft.variants.map { variant in
                    let all = draft.variants.map(\.weight).reduce(0, +)
                    return "\(variant.name) \(words.percent(variant.weight, of: all))"
                }
                .joined(separator: " · ")
            )
        }
        if draft.controlShare > 0 {
            add("campaigns.control", words.percent(draft.controlShare, of: 100))
        }
        if let winner = draft.winner {
            add(
                "campaigns.winner",
                words(
                    "campaigns.winner_text",
                    [
                        "share": words.percent(winner.testShare, of: 100),
                        "hours": words.number(winner.hours),
                    ]
                )
            )
        }
        if let days = draft.againAfterDays {
            add("campaigns.again", words.counted("campaigns.again_days", days))
        }
        for conversion in draft.conversions {
            let event = conversion.event.isEmpty ? words("timeline.purchase") : conversion.event
            let days = words.counted("campaigns.again_days", conversion.days)
            add("campaigns.conversions", "\(event) · \(days)")
        }
        add("campaigns.quiet", words(draft.quietHours.wordKey))
        if draft.ignoresCaps { add("campaigns.caps", words("campaigns.ignores_caps")) }
        if let rate = draft.messagesPerMinute { add("campaigns.rate", words.number(rate)) }
        add("campaigns.tags", draft.tags.joined(separator: ", "))
        lines += PushContentLines(draft.common, words: words).lines
        self.lines = lines
    }
}

/// The confirmation before a campaign is saved or activated.
struct CampaignReviewPage {
    /// What is reviewed.
    enum Origin {
        /// What is written, of a campaign in this phase; `nil` for a new one.
        case draft(FormDraft, FormFields, phase: CampaignPhase?)
        case stored(CampaignRow)
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
    /// `nil` where it cannot begin, or runs already.
    let activateLabel: String?
    /// `nil` where there is nothing to save.
    let saveLabel: String?
    let isSaveMain: Bool

    init(
        _ draft: CampaignDraft,
        previews: [(name: String, preview: PushPreview)],
        outlook: SendOutlook,
        from origin: Origin,
        visit: Visit
    ) {
        let words = visit.words
        name = draft.name
        self.outlook = OutlookPart(outlook, visit: visit)
        lines = CampaignLines(draft, outlook: self.outlook, visit: visit).lines
        self.previews = previews.map { name, preview in
            Preview(
                name: name,
                banner: Banner(
                    title: preview.title.isEmpty ? words("push.app_name") : preview.title,
                    subtitle: preview.subtitle,
                    message: preview.message
                )
            )
        }
        let begins =
            draft.timing.kind != .now
            ? nil
            : outlook.first == outlook.users
                ? words.counted("review.send_to", outlook.users)
                : words.counted("review.send_to_about", outlook.first)
        switch origin {
        case .draft(let kept, let fields, let phase):
            let isRunning = phase == .active || phase == .paused
            hidden =
                [
                    PushReviewPage.Hidden(name: "draft", value: kept.id.uuidString),
                    PushReviewPage.Hidden(name: "subject", value: kept.subject),
                ] + fields.entries.map { PushReviewPage.Hidden(name: $0.name, value: $0.value) }
            action = ConsolePath.saveCampaign.path
            editAddress = ConsolePath.draft(.campaign, kept.id.uuidString).path
            activateLabel =
                isRunning || outlook.isBlocked
                ? nil : begins ?? words("campaigns.save_and_activate")
            saveLabel = words(phase == nil ? "campaigns.save_draft" : "in_app.save_changes")
            isSaveMain = isRunning
        case .stored(let row):
            let id = String(row.id)
            hidden = [
                PushReviewPage.Hidden(name: "version", value: String(row.changedAt.milliseconds))
            ]
            action = ConsolePath.activateCampaign(id).path
            editAddress = ConsolePath.editCampaign(id).path
            activateLabel = outlook.isBlocked ? nil : begins ?? words("campaigns.step.activate")
            saveLabel = nil
            isSaveMain = false
        }
    }
}
