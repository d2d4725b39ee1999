import Foundation
import Model
import WebPages

/// The editor: the flow with what can be done at each step.
struct JourneyEditorPage {
    struct Fault {
        let text: String
        let address: String
    }

    let name: String
    let draft: DraftFrame
    let flow: JourneyFlow
    let lines: [PushReviewPage.Line]
    /// What keeps it from being published, outside of its steps.
    let faults: [Fault]
    let hasFaults: Bool
    /// How many steps are not ready.
    let open: String?
    let isRulesUnfinished: Bool
    let entryText: String
    let rulesAddress: String
    let changeAddress: String
    let reviewAddress: String
    let trialAddress: String
    let listAddress: String
    let canUndo: Bool
    let canRedo: Bool
    let saved: String

    init(
        _ plan: JourneyPlan,
        _ draft: FormDraft,
        frame: DraftFrame,
        names: JourneyNames,
        problems: JourneyProblems,
        context: ConsoleContext
    ) {
        let words = context.words
        let definition = plan.definition
        name = definition.name
        self.draft = frame
        flow = JourneyFlow(
            definition,
            names: names,
            edit: JourneyFlow.Editing(
                frame: frame,
                faults: problems.steps,
                unfinished: Set(plan.openSteps.keys)
            ),
            context: context
        )
        lines = definition.lines(names, context)
        let rules = ConsolePath.journeyRules(frame.id).path
        faults = problems.rules.map { Fault(text: $0, address: rules) }
        hasFaults = !faults.isEmpty
        let count = Set(problems.steps.keys).union(plan.openSteps.keys).count
        open = count > 0 ? words.counted("journeys.open_steps", count) : nil
        isRulesUnfinished = plan.openRules != nil
        entryText = definition.entry.text(names, context)
        rulesAddress = rules
        changeAddress = ConsolePath.journeyChange(frame.id).path
        reviewAddress = ConsolePath.reviewDraft(.journey, frame.id).path
        trialAddress = ConsolePath.journeyTrial(frame.id).path
        listAddress =
            frame.subject.isEmpty
            ? ConsolePath.journeys.path : ConsolePath.journey(frame.subject).path
        canUndo = plan.canUndo
        canRedo = plan.canRedo
        saved = words("draft.saved", ["time": words.clock(draft.updatedAt, in: context.zone)])
    }
}
