import Audience
import Campaigns
import Experiments
import Foundation
import Model
import WebPages

/// The campaign wizard: message, audience, schedule. The confirmation is a separate page.
struct CampaignEditorPage {
    struct Text {
        /// The prefix of its field names.
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
        /// Of the text of all platforms.
        let languages: LanguageTabs?
    }

    struct Variant {
        let number: Int
        let id: String
        let letter: String
        let name: String
        let weight: String
        let weightFault: String?
        let texts: [Text]
        /// The pages of a story of its own.
        let story: [PushComposerPage.StoryRow]
        let storyPrefix: String
        let storyFault: String?
        let storyMost: Int
        let isStoryOpen: Bool
        let isOnly: Bool
        let removeLabel: String
    }

    struct Conversion {
        let event: String
        let days: String
        let position: Int
        let conditions: JourneyPropertyPart
    }

    let heading: String
    /// Whether users currently get variants of it.
    let isExperimentRunning: Bool
    let form: CampaignForm
    let composer: PushComposerPage
    let faults: [FormFieldError]
    let hasFaults: Bool
    /// The errors of fields, by name.
    let fault: [String: String]
    let variants: [Variant]
    let timings: [FormChoice]
    let repeats: [FormChoice]
    let weekdays: [FormChoice]
    let quiet: [FormChoice]
    let delayUnits: [FormChoice]
    let isPurchase: Bool
    let isAgain: Bool
    let conversions: [Conversion]
    /// The selectable time zones: the workspace's, and the one with which it was created.
    let zones: [SettingsChoice]
    let reviewAddress: String
    let listAddress: String
    /// The draft in which it is stored while it is edited.
    let draft: DraftFrame?

    init(
        _ form: CampaignForm,
        draft: DraftFrame?,
        isExperimentRunning: Bool,
        composer: PushComposerPage,
        faults: [FormFieldError],
        context: ConsoleContext
    ) {
        let words = context.words
        self.form = form
        self.composer = composer
        self.draft = draft
        self.isExperimentRunning = isExperimentRunning
        heading =
            draft?.subject.isEmpty != false || form.name.isEmpty
            ? words("campaigns.new") : form.name
        self.faults = faults
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
                weight: variant.weight,
                weightFault: fault["v\(number).weight"],
                texts: Self.texts(of: variant, number, fault, context),
                story: PushComposerPage.StoryRow.all(variant.story),
                storyPrefix: "v\(number).",
                storyFault: fault["v\(number).story"],
                storyMost: StoryPage.count.upperBound,
                isStoryOpen: !variant.story.isEmpty || fault["v\(number).story"] != nil,
                isOnly: form.variants.count == 1,
                removeLabel: words("campaigns.remove_variant", ["name": variant.name])
            )
        }
        timings = CampaignForm.Timing.allCases.map {
            FormChoice(
                value: $0.rawValue,
                label: words($0.wordKey),
                help: words($0.helpKey),
                isChosen: $0 == form.timing
            )
        }
        repeats = CampaignForm.Repeat.allCases.map {
            FormChoice(
                value: $0.rawValue,
                label: words($0.wordKey),
                help: "",
                isChosen: $0 == form.repeats
            )
        }
        weekdays = (1...7).map {
            FormChoice(
                value: String($0),
                label: words.weekday($0),
                help: "",
                isChosen: form.weekdays.contains($0)
            )
        }
        quiet = QuietHoursHandling.allCases.map {
            FormChoice(
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
            FormChoice(
                value: unit,
                label: words(key),
                help: "",
                isChosen: unit == form.delayUnit
            )
        }
        isPurchase = form.triggerKind == "purchase"
        isAgain = form.again == "after"
        let written = form.conversions.filter { !$0.event.isEmpty }
        let blank = written.count < CampaignForm.conversionLimit ? [GoalForm()] : []
        conversions = (written + blank).enumerated().map { index, goal in
            Conversion(
                event: goal.event,
                days: goal.days,
                position: index + 1,
                conditions: JourneyPropertyPart(
                    goal.conditions,
                    prefix: GoalForm.prefix(CampaignForm.conversionName),
                    fault: nil,
                    words: words
                )
            )
        }
        let own = form.zone.isEmpty ? context.zone.identifier : form.zone
        zones = [own, context.zone.identifier].enumerated().filter {
            $0.offset == 0 || $0.element != own
        }
        .map { SettingsChoice(value: $1, label: $1, isChosen: $1 == own && !form.isLocal) }
        reviewAddress = ConsolePath.reviewCampaign.path
        listAddress = ConsolePath.campaigns.path
    }

    private static func texts(
        of variant: CampaignForm.Variant,
        _ number: Int,
        _ faults: [String: String],
        _ context: ConsoleContext
    ) -> [Text] {
        let words = context.words
        func text(_ platform: MessagePlatform?, _ value: MessageText) -> Text {
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
                image: value.image,
                messageFault: fault("message"),
                urlFault: fault("url"),
                imageFault: fault("image"),
                languages: platform == nil
                    ? LanguageTabs(value.translations, prefix: prefix, context: context) : nil
            )
        }
        return [text(nil, variant.text)]
            + MessagePlatform.allCases.map { text($0, variant.own[$0] ?? MessageText()) }
    }
}
