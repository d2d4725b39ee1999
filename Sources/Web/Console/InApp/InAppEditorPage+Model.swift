import Foundation
import InAppMessages
import Model
import NoroshiWire
import WebPages

/// The editor of an in-app message.
struct InAppEditorPage {
    /// The action of a tap, with the prefix of its field names.
    struct Click {
        let prefix: String
        let label: String
        let actions: [FormChoice]
        let url: String
        let isInside: Bool
        let event: String
        let key: String
        let value: String
        let urlFault: String?
        let eventFault: String?
        let keyFault: String?
    }

    struct Color {
        let name: String
        let label: String
        let value: String
        let fault: String?
    }

    struct Button {
        let prefix: String
        let label: String
        let id: String
        let text: String
        let textFault: String?
        /// Open from the beginning.
        let isUsed: Bool
        let click: Click
        let colors: [Color]
        let hasColors: Bool
    }

    struct Condition {
        let property: String
        let tests: [FormChoice]
        let value: String
        let position: Int
    }

    struct Trigger {
        let prefix: String
        let number: Int
        let position: Int
        let kinds: [FormChoice]
        let name: String
        let conditions: [Condition]
        let fault: String?
    }

    /// One variant.
    struct Content {
        let prefix: String
        let number: Int
        let letter: String
        let isOnly: Bool
        let removeLabel: String
        let form: InAppForm.Content
        let kinds: [FormChoice]
        let choices: [ChoiceField]
        let click: Click
        let buttons: [Button]
        let themes: [Theme]
        let hasColors: Bool
        let hasMore: Bool
        let weightFault: String?
        let headerFault: String?
        let textFault: String?
        let imageFault: String?
        let closesAfterFault: String?
        let languages: InAppLanguages
    }

    /// A property selected from a list.
    struct ChoiceField {
        let name: String
        let label: String
        let values: [FormChoice]
    }

    struct Theme {
        let label: String
        let colors: [Color]
    }

    let heading: String
    let form: InAppForm
    let composer: PushComposerPage
    let faults: [FormFieldError]
    let hasFaults: Bool
    /// The errors of fields, by name.
    let fault: [String: String]
    let contents: [Content]
    let isExperiment: Bool
    let goalConditions: JourneyPropertyPart
    let triggers: [Trigger]
    let delayUnits: [FormChoice]
    let often: [FormChoice]
    let intervalUnits: [FormChoice]
    let zoneHelp: String
    let hasPairs: Bool
    let frame: InAppFrame
    /// The script posts the current form.
    let htmlAddress: String? = nil
    /// The draft in which it is stored while it is edited.
    let draft: DraftFrame?
    let isActive: Bool
    /// Whether users currently see variants of it.
    let isExperimentRunning: Bool
    let saveAddress: String
    let previewAddress: String
    let pageAddress: String
    let reachAddress: String
    let listAddress: String

    init(
        _ form: InAppForm,
        known: InAppMessageDefinition?,
        preview: InAppMessagePreview,
        composer: PushComposerPage,
        draft: DraftFrame?,
        faults: [FormFieldError],
        context: ConsoleContext
    ) {
        self.draft = draft
        isExperimentRunning =
            known.map { [.active, .paused].contains($0.state) && $0.experiment.isRunning } ?? false
        let words = context.words
        self.form = form
        self.composer = composer
        heading = known?.name ?? words("in_app.new")
        self.faults = faults
        let fault = Dictionary(
            self.faults.map { ($0.field, $0.text) },
            uniquingKeysWith: { first, _ in first }
        )
        self.fault = fault
        hasFaults = !faults.isEmpty
        contents = form.contents.indices.map { Self.content($0, form, fault, context) }
        isExperiment = form.contents.count > 1 || !form.controlShare.isEmpty
        goalConditions = JourneyPropertyPart(
            form.goal.conditions,
            prefix: GoalForm.prefix(InAppForm.goalName),
            fault: nil,
            words: context.words
        )
        triggers = form.triggers.enumerated().map { Self.trigger($0, $1, fault, words) }
        delayUnits = Self.units(form.delayUnit, words)
        intervalUnits = Self.units(form.intervalUnit, words)
        often = InAppForm.Often.allCases.map {
            FormChoice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == form.often)
        }
        zoneHelp = words("compose.deliver_at_help", ["zone": context.zone.identifier])
        hasPairs = !form.push.pairs.isEmpty
        frame = InAppFrame(preview, number: 0, context: context)
        isActive = known?.state == .active
        saveAddress = ConsolePath.saveInApp.path
        previewAddress = ConsolePath.previewInApp.path
        pageAddress = ConsolePath.inAppPage.path
        reachAddress = ConsolePath.inAppReach.path
        listAddress =
            known.map { ConsolePath.inAppMessage($0.message.id).path } ?? ConsolePath.inApp.path
    }

    private static func units(_ chosen: InAppForm.Unit, _ words: Words) -> [FormChoice] {
        InAppForm.Unit.allCases.map {
            FormChoice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == chosen)
        }
    }
}
