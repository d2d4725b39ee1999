/// Why a report cannot be made, and which part of the question says so.
package struct ReportProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case missing
        /// A number, or how many there are of something.
        case outOfRange(Int, Int)
        /// An event of the server's own.
        case systemEvent
        /// An unit that this report does not know.
        case unit
        /// The time lies outside the years that a calendar has.
        case farAway
        /// The step before which an exclusion counts is not behind the one after which it does.
        case stepOrder
        /// A path through a list reaches many values.
        case manyValues
        /// No column holds the attribute, because nearly every user has another value.
        case unkeptAttribute
        /// The breakdown needs an occurrence, which new users have none of.
        case noOccurrence
        /// More stored events would have to be read than a report may read.
        case tooManyRows(Int)
    }

    package var code: Code
    /// Such as `steps.1.event`; steps count from 0.
    package var field: String

    package init(_ code: Code, _ field: String) {
        self.code = code
        self.field = field
    }

    package var message: String {
        switch code {
        case .missing: "is required"
        case .outOfRange(let least, let most): "is from \(least) to \(most)"
        case .systemEvent: "is the name of a custom event"
        case .unit: "is none of the units of this report"
        case .farAway: "reaches outside the years 1 to 9999"
        case .stepOrder: "is a step behind the one after which the exclusion counts"
        case .manyValues: "reaches many values; name one"
        case .unkeptAttribute: "nearly every user has another value; choose another attribute"
        case .noOccurrence: "is not for new users, who are counted without an event"
        case .tooManyRows(let limit):
            "asks for properties of more than \(limit) events; choose a shorter period"
        }
    }

    package var description: String { "'\(field)' \(message)" }
}
