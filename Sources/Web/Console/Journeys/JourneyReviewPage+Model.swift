import Foundation
import Model
import WebPages

/// What a publication does, in numbers, before it happens.
struct JourneyReviewPage {
    struct Effect {
        let step: String
        let sentence: String
        let isRemoved: Bool
        let fieldName: String
        let targetLabel: String
        let targets: [FormChoice]
    }

    struct Hidden {
        let name: String
        let value: String
    }

    struct Fault {
        let text: String
        let address: String
    }

    let name: String
    let flow: JourneyFlow
    let entryText: String
    let lines: [PushReviewPage.Line]
    let draft: DraftFrame
    let publishAction: String
    let reviewAddress: String
    let editAddress: String
    let faults: [Fault]
    let hasFaults: Bool
    let migrations: [FormChoice]
    let asksMigration: Bool
    let effects: [Effect]
    let hasEffects: Bool
    let total: String?
    let hidden: [Hidden]
    let publishLabel: String?
    let saveLabel: String

    init(
        _ plan: JourneyPlan,
        frame: DraftFrame,
        subject: Journey?,
        names: JourneyNames,
        problems: JourneyProblems,
        choice: JourneyMigrationChoice,
        effects: [JourneyMigrationPreview],
        former: [JourneyStepID: String],
        context: ConsoleContext
    ) {
        let words = context.words
        let definition = plan.definition
        let layout = JourneyLayout(definition)
        name = definition.name
        draft = frame
        flow = JourneyFlow(definition, names: names, context: context)
        entryText = definition.entry.text(names, context)
        lines = definition.lines(names, context)
        publishAction = ConsolePath.publishJourney.path
        reviewAddress = ConsolePath.reviewDraft(.journey, frame.id).path
        editAddress = frame.address
        func title(_ id: JourneyStepID) -> String {
            guard let step = definition.step(id) else {
                return former[id] ?? words("journeys.removed_step")
            }
            return "\(layout.numbers[id] ?? 0) · \(step.title(words))"
        }
        let rules = ConsolePath.journeyRules(frame.id).path
        var faults = problems.rules.map { Fault(text: $0, address: rules) }
        for id in layout.order {
            let address = ConsolePath.journeyStep(frame.id, id.description).path
            for text in problems.steps[id] ?? [] {
                faults.append(Fault(text: "\(title(id)): \(text)", address: address))
            }
            if plan.openSteps[id] != nil {
                let text = "\(title(id)): \(words("journeys.unfinished"))"
                faults.append(Fault(text: text, address: address))
            }
        }
        if plan.openRules != nil {
            let text = "\(words("journeys.rules")): \(words("journeys.unfinished"))"
            faults.append(Fault(text: text, address: rules))
        }
        self.faults = faults
        hasFaults = !faults.isEmpty
        let waiting = effects.map(\.waiting).reduce(0, +)
        asksMigration = waiting > 0
        migrations = [
            FormChoice(
                value: "keep",
                label: words("journeys.migration_keep"),
                help: words("journeys.migration_keep_help"),
                isChosen: !choice.isMoving
            ),
            FormChoice(
                value: "move",
                label: words("journeys.migration_move"),
                help: words("journeys.migration_move_help"),
                isChosen: choice.isMoving
            ),
        ]
        self.effects = effects.map { effect in
            let isRemoved = definition.step(effect.step) == nil
            let target = choice.targets[effect.step]
            return Effect(
                step: title(effect.step),
                sentence: effect.sentence(words),
                isRemoved: isRemoved && choice.isMoving,
                fieldName: JourneyMigrationChoice.fieldName(effect.step),
                targetLabel: words("journeys.removed_to", ["step": title(effect.step)]),
                targets: [
                    FormChoice(
                        value: "",
                        label: words("journeys.removed_leave"),
                        help: "",
                        isChosen: target == nil
                    )
                ]
                    + layout.order.map {
                        FormChoice(
                            value: $0.description,
                            label: words("journeys.removed_go_on", ["step": title($0)]),
                            help: "",
                            isChosen: $0 == target
                        )
                    }
            )
        }
        hasEffects = !effects.isEmpty
        var sum = JourneyMigrationPreview(step: JourneyStepID(UUID()))
        for effect in effects {
            sum.waiting += effect.waiting
            sum.keeping += effect.keeping
            sum.staying += effect.staying
            sum.goingOn += effect.goingOn
            sum.leaving += effect.leaving
        }
        total = waiting > 0 ? sum.sentence(words) : nil
        hidden =
            [Hidden(name: "migration", value: choice.isMoving ? "move" : "keep")]
            + choice.targets.sorted { $0.key < $1.key }.map {
                Hidden(
                    name: JourneyMigrationChoice.fieldName($0.key),
                    value: $0.value.description
                )
            }
        let isFirst = subject?.version == nil
        let isStopped = subject?.state == .stopped
        publishLabel =
            faults.isEmpty
            ? waiting > 0 && choice.isMoving
                ? words.counted("journeys.publish_moving", waiting)
                : words(
                    isFirst || isStopped ? "journeys.publish_start" : "journeys.publish_version"
                ) : nil
        saveLabel = words("journeys.save_draft")
    }
}

extension JourneyMigrationPreview {
    /// “1,204 wait here: 1,100 go on at once, 104 leave.”
    func sentence(_ words: Words) -> String {
        let parts = [
            ("journeys.effect_keeping", keeping), ("journeys.effect_staying", staying),
            ("journeys.effect_going_on", goingOn), ("journeys.effect_leaving", leaving),
        ]
        .filter { $0.1 > 0 }
        .map { words.counted($0.0, $0.1) }
        return words.counted(
            "journeys.effect",
            waiting,
            ["parts": parts.joined(separator: words("journeys.effect_comma"))]
        )
    }
}
