import Foundation
import Model
import WebPages

/// The form of a journey's rules.
struct JourneyRulesPage {
    struct Exit {
        let event: String
        let position: Int
    }

    let action: String
    let flowAddress: String
    let draft: DraftFrame
    let faults: [FormFieldError]
    let hasFaults: Bool
    let isUnfinished: Bool
    let fault: [String: String]
    let form: JourneyRulesForm
    let entries: [FormChoice]
    let event: JourneyEventPart
    let members: JourneyConditionPart
    let audience: JourneyConditionPart
    let hasAudience: Bool
    let reentries: [FormChoice]
    let pause: JourneySpanPart
    let exits: [Exit]
    let exitCondition: JourneyConditionPart
    let goal: JourneyEventPart
    let window: JourneySpanPart
    let quiet: [FormChoice]
    let eventNames: [String]

    init(
        _ form: JourneyRulesForm,
        frame: DraftFrame,
        _ vocabulary: JourneyConditionPart.Vocabulary,
        isUnfinished: Bool,
        faults: [FormFieldError],
        context: ConsoleContext
    ) {
        let words = context.words
        self.form = form
        draft = frame
        action = ConsolePath.journeyRules(frame.id).path
        flowAddress = frame.address
        self.faults = faults
        hasFaults = !faults.isEmpty
        self.isUnfinished = isUnfinished
        let fault = Dictionary(
            faults.map { ($0.field, $0.text) },
            uniquingKeysWith: { first, _ in first }
        )
        self.fault = fault
        entries = JourneyRulesForm.Entry.allCases.map {
            FormChoice(
                value: $0.rawValue,
                label: words($0.wordKey),
                help: words($0.helpKey),
                isChosen: $0 == form.entry
            )
        }
        event = JourneyEventPart(
            form.event,
            prefix: JourneyRulesForm.entryPrefix,
            label: words("campaigns.when"),
            fault: fault[JourneyRulesForm.entryPrefix + "event"],
            words: words
        )
        func condition(
            _ form: JourneyConditionForm,
            _ key: String,
            everyone: String?
        ) -> JourneyConditionPart {
            JourneyConditionPart(
                form,
                label: words(key),
                everyone: everyone.map { words($0) },
                vocabulary,
                faults: fault,
                words: words
            )
        }
        members = condition(
            form.members,
            "journeys.entry_segment",
            everyone: form.entry == .entering ? nil : "audience.everyone"
        )
        audience = condition(form.audience, "journeys.audience", everyone: "audience.everyone")
        hasAudience = form.audience.audience.kind != .everyone
        exitCondition = condition(
            form.exitCondition,
            "journeys.exit_condition",
            everyone: "journeys.exit_nobody"
        )
        reentries = [
            ("never", "journeys.reentry_never"), ("always", "journeys.reentry_at_once"),
            ("after", "journeys.reentry_later"),
        ].map { value, key in
            FormChoice(value: value, label: words(key), help: "", isChosen: value == form.again)
        }
        pause = JourneySpanPart(
            form.pause,
            label: words("journeys.reentry_pause"),
            faults: fault,
            words: words
        )
        exits = (form.exitEvents + [""]).enumerated().map {
            Exit(event: $1, position: $0 + 1)
        }
        goal = JourneyEventPart(
            form.goal,
            prefix: JourneyRulesForm.goalPrefix,
            label: words("journeys.goal"),
            fault: fault[JourneyRulesForm.goalPrefix + "event"],
            words: words
        )
        window = JourneySpanPart(
            form.window,
            label: words("journeys.goal_within"),
            faults: fault,
            words: words
        )
        quiet = QuietHoursHandling.allCases.map {
            FormChoice(
                value: $0.rawValue,
                label: words($0.wordKey),
                help: "",
                isChosen: $0 == form.quietHours
            )
        }
        eventNames = vocabulary.events
    }
}
