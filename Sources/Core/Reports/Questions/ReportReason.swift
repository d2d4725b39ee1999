import Model
import Reasons

/// Why a report cannot be made.
package enum ReportReason: String, ReasonCode {
    package static let family = ReasonFamily.report

    /// The time lies outside the years that a calendar has.
    case farAway = "reaches outside the years 1 to 9999"
    /// A path through a list reaches many values.
    case manyValues = "reaches many values; name one"
    case missing = "is required"
    /// The breakdown needs an occurrence, which new users have none of.
    case noOccurrence = "is not for new users, who are counted without an event"
    /// The workspace has as many saved reports as it may have.
    case mostSaved = "has {count} saved reports already; delete one first"
    case name = "has 1 to {count} characters"
    case nameTaken = "there is a report named '{name}' already; choose another name"
    /// Only purchases have amounts.
    case notPaid = "is only for purchases"
    /// A number, or how many there are of something.
    case outOfRange = "is from {first} to {last}"
    /// The step before which an exclusion counts is not behind the one after which it does.
    case stepOrder = "is a step behind the one after which the exclusion counts"
    /// An event of the server's own.
    case systemEvent = "is the name of a custom event"
    /// More stored events would have to be read than a report may read.
    case tooManyRows =
        "asks for properties of more than {count} events; choose a shorter period"
    case timeOfDay = "is a time such as 08:30"
    /// Where a report is sent.
    case webhookAddress = "is an address that begins with https:// or http://"
    /// A unit that this report does not know.
    case unit = "is none of the units of this report"
    /// No column holds the attribute, because nearly every user has another value.
    case unkeptAttribute = "nearly every user has another value; choose another attribute"
}

extension FieldProblem {
    /// - Parameter field: Such as `steps.1.event`; steps count from 0.
    package init(
        _ field: String,
        _ code: ReportReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(.request(field), Reason(code, arguments))
    }
}
