import Reasons

/// Why users cannot be found.
package enum AudienceReason: String, ReasonCode {
    package static let family = ReasonFamily.audience

    case filter = "{place}: {reason}"
    case matching = "{reason}"
    case needsRows = "“{text}” can be answered from stored rows only"
    case nested = "segment “{id}” refers to itself or too deeply"
    case noSegment = "there is no segment {id}"
    case notHere = "segments are not evaluated here"
    case notReady = "the users are still being read ({progress}); try again in some seconds"
    case pattern = "“{text}”: character {offset} of the pattern: {reason}"
}
