import Reasons

/// Why a verb is not done.
package enum RefusalReason: String, ReasonCode {
    package static let family = ReasonFamily.refusal

    case campaignArchived = "the campaign is archived"
    case campaignMoved = "the campaign was changed meanwhile; read it again"
    case campaignState = "the campaign is not {states}"
    case filterForNamed = "the campaign is for named users; leave the filter out"
    case listUsed = "the segment '{name}' refers to this list"
    case notTriggered = "the campaign is not triggered by the API"
    case otherRequest = "the Idempotency-Key was used for another request; send a new key"
}
