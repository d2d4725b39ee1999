import Foundation

/// A path of a branch.
package struct JourneyPath: Sendable, Hashable, Codable {
    package var name: String
    package var condition: JourneyCondition
    /// `nil` completes the journey.
    package var next: JourneyStepID?

    package init(name: String, condition: JourneyCondition, next: JourneyStepID?) {
        self.name = name
        self.condition = condition
        self.next = next
    }
}

/// What takes a person onto a path.
package enum JourneyCondition: Sendable, Hashable, Codable {
    case segment(SegmentQuery)
    /// Properties of the event with which the person entered, all of which must hold; of an entry by
    /// the API its trigger properties.
    case properties([PropertyCondition])
}

/// A share of a random split.
package struct JourneyShare: Sendable, Hashable, Codable {
    package var name: String
    /// Relative to the other weights.
    package var weight: Int
    /// Whether the others are compared with this share.
    package var isControl: Bool
    /// `nil` completes the journey.
    package var next: JourneyStepID?

    package init(name: String, weight: Int = 1, isControl: Bool = false, next: JourneyStepID?) {
        self.name = name
        self.weight = weight
        self.isControl = isControl
        self.next = next
    }
}
