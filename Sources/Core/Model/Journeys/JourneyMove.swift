import Foundation

/// What happens to one entry in one transaction.
package struct JourneyMove: Sendable, Hashable {
    /// As it was read; `nil` for an entry that begins, whose number the store assigns.
    package var before: JourneyEntry?
    package var after: JourneyEntry
    /// The steps that were left, in this order.
    package var passages: [JourneyPassage]
    package var effects: [JourneyEffect]

    package init(
        before: JourneyEntry?,
        after: JourneyEntry,
        passages: [JourneyPassage] = [],
        effects: [JourneyEffect] = []
    ) {
        self.before = before
        self.after = after
        self.passages = passages
        self.effects = effects
    }
}

/// What a step does outside of the journey. Entry and passage make its identity, so that it is done
/// once however often it is begun.
package struct JourneyEffect: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case push
        case inAppMessage(JourneyInAppMessage)
        case update(JourneyUpdate)
        case webhook
        case enterJourney(UUID)
    }

    package var step: JourneyStepID
    /// The number of the passage.
    package var passage: Int
    package var kind: Kind

    package init(step: JourneyStepID, passage: Int, kind: Kind) {
        self.step = step
        self.passage = passage
        self.kind = kind
    }
}
