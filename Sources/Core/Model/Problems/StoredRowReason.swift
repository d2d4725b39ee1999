import Reasons

/// Why a stored row cannot be read, or one cannot be written beside those that are there.
package enum StoredRowReason: String, ReasonCode {
    package static let family = ReasonFamily.row

    case addressRange = "'{text}' is no range of addresses"
    case amount = "the amount {value} is beyond all amounts"
    case appGone = "a device belongs to app {id}, which is gone"
    case callWithoutEntry = "a call belongs to no entry of a journey"
    case deviceWithoutID = "a device was written without an identifier"
    case empty = "the column {column} is empty"
    case identifierTaken = "an identifier is taken: {detail}"
    case journeyMessage = "step {step} of a journey has no message"
    case journeyMessageIdle = "the message of a journey is not active"
    case journeyStep = "a journey has no step {step}"
    case journeyWithoutStart = "a running journey has no version or no start"
    case json = "stored JSON cannot be read: {reason}"
    case memberMoved = "member {id} is not where it was stored"
    case nameTaken = "the name '{name}' is taken"
    case noJourney = "journey {id} is not there"
    case noLaunch = "an active campaign launched nothing"
    case noSend = "send {id} is not there, but messages of it are"
    case noUUID = "the column {column} holds no UUID"
    case noWorkspace = "workspace {id} is not there"
    case personTaken = "this person or this member is bound already"
    case savedMeanwhile = "somebody has saved it since the editing began"
    case time = "the time {value} lies outside the years 1 to 9999"
    case unexpectedType = "a stored {type} cannot be read: {reason}"
    case unknownValue = "the column {column} holds the unknown value '{value}'"
    case valueAtByte = "a stored value is no JSON at byte {offset}: {text}"
    case variantWithoutID = "a variant has no identifier"
}
