import Reasons

/// Why a message is not rendered, or not as it is.
package enum MessageReason: String, ReasonCode {
    package static let family = ReasonFamily.message

    case aborted = "Aborted: {reason}"
    case blockCircle = "it includes itself, {chain}"
    case blockDepth = "blocks lie more than {count} deep in it"
    case blockDraft = "it is a draft"
    case blockLimit = "a message can use {count} content blocks"
    case blockMissing = "there is none of this name"
    case blockUnusable = "The content block '{name}' cannot be used: {reason}"
    case busy = "Too many large messages are being rendered; try again in a moment"
    case content = "ConnectedContent: {reason}"
    case contentUnavailable = "Connected Content: {reason}"
    case empty = "EmptyMessage"
    case givenUp = """
        Not rendered any more, because it took too long for user after user; \
        make loops and texts shorter
        """
    case liquid = "LiquidError: {reason}"
    case noCatalog = "there is no catalog named '{name}'"
    case noSelection = "there is no selection '{name}' of a catalog '{catalog}'"
}
