import Foundation

/// The identity of a step: made when the step is added, kept through all versions, never used for
/// another step.
package struct JourneyStepID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }

    package init(from decoder: any Decoder) throws {
        uuid = try decoder.singleValueContainer().decode(UUID.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uuid)
    }

    package static func < (left: JourneyStepID, right: JourneyStepID) -> Bool {
        left.description < right.description
    }

    /// Lowercase.
    package var description: String { uuid.uuidString.lowercased() }
}

/// One step of a journey and where it leads.
package struct JourneyStep: Sendable, Hashable, Codable {
    package var id: JourneyStepID
    /// Shown on the canvas; may be empty.
    package var name: String
    package var kind: JourneyStepKind
    /// The step after it: of a branch for those whom no path takes, of a wait with a limit for those
    /// who did what is awaited. `nil` completes the journey. A split leads on by its shares only.
    package var next: JourneyStepID?

    package init(
        id: JourneyStepID,
        name: String = "",
        kind: JourneyStepKind,
        next: JourneyStepID? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.next = next
    }

    /// All steps to which it may lead; `nil` is the end of the journey.
    package var targets: [JourneyStepID?] {
        switch kind {
        case .exit: []
        case .split(let shares): shares.map(\.next)
        case .branch(let paths): paths.map(\.next) + [next]
        case .wait(.event(_, _, let late)), .wait(.match(_, _, let late)): [next, late]
        case .push, .inAppMessage, .update, .webhook, .wait, .jump, .enterJourney: [next]
        }
    }
}

/// What a step does with the person who comes to it.
package enum JourneyStepKind: Sendable, Hashable, Codable {
    /// Sends a push. The person goes on at once, also when limits keep the message from them.
    case push(JourneyPush)
    /// Lets the person's devices show an in-app message.
    case inAppMessage(JourneyInAppMessage)
    /// Changes the person's own data.
    case update(JourneyUpdate)
    /// Calls another server. The person goes on at once; a failed call is tried again.
    case webhook(JourneyWebhook)
    case wait(JourneyWait)
    /// The first path whose condition holds; else the step's `next`.
    case branch([JourneyPath])
    /// One of the shares at random, always the same for one entry.
    case split([JourneyShare])
    /// Goes on at the step's `next`, which may stand anywhere.
    case jump
    /// Lets the person into another journey whose entry is `journey`; goes on at once.
    case enterJourney(UUID)
    /// Ends the journey.
    case exit
}
