import Foundation
import Model
import WebPages

/// The choice of the kind of a new step.
struct JourneyAddPage {
    struct Choice {
        let value: String
        let icon: String
        let label: String
        let help: String
    }

    let action: String
    let flowAddress: String
    let place: String
    let slots: String
    let draft: DraftFrame
    let choices: [Choice]
    let addFault: String?

    /// `nil` if there is no such place.
    init?(
        _ definition: JourneyDefinition,
        at slots: [JourneySlot],
        frame: DraftFrame,
        fault: String? = nil,
        context: ConsoleContext
    ) {
        guard !slots.isEmpty, slots.allSatisfy(definition.has) else { return nil }
        let words = context.words
        action = ConsolePath.journeyAdd(frame.id).path
        flowAddress = frame.address
        place = JourneyPlaceWords.label(of: slots, definition, JourneyLayout(definition), words)
        self.slots = JourneySlot.name(of: slots)
        draft = frame
        addFault = fault
        choices = JourneyStepChoice.allCases.filter { choice in
            JourneyEdit.reachesAll(with: choice, at: slots, in: definition, words: words)
        }
        .map {
            Choice(
                value: $0.rawValue,
                icon: $0.icon,
                label: words($0.wordKey),
                help: words($0.helpKey)
            )
        }
    }
}
