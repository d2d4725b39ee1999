import Foundation

/// A step that a person has left.
package struct JourneyPassage: Sendable, Hashable {
    package var step: JourneyStepID
    /// The number of steps of the entry before it.
    package var number: Int
    package var version: Int
    package var arrivedAt: Date
    package var leftAt: Date
    package var outcome: Outcome
    /// The index of the path or the share that was taken; `nil` for the step's `next`.
    package var path: Int?
    /// The send of the step's push.
    package var send: SendID?

    package enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// Went on.
        case passed
        /// Went on because the limit of a wait was over.
        case late
        /// The journey ended here.
        case left
    }

    package init(
        step: JourneyStepID,
        number: Int,
        version: Int,
        arrivedAt: Date,
        leftAt: Date,
        outcome: Outcome,
        path: Int? = nil,
        send: SendID? = nil
    ) {
        self.step = step
        self.number = number
        self.version = version
        self.arrivedAt = arrivedAt
        self.leftAt = leftAt
        self.outcome = outcome
        self.path = path
        self.send = send
    }
}
