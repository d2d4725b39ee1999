import Model
import Reasons

/// What can be wrong with a line of a content file.
///
/// Only commands say it, in English.
enum ContentFileReason: String, ReasonCode {
    static let family = ReasonFamily.file

    case campaignMissing = "names the campaign '{name}', which is not there"
    case campaignRuns = "is of a campaign that runs here; stop it before it is changed"
    case describedTwice = "describes what line {line} describes already"
    case givenByServer = "is given by the server; leave it out"
    case journeyRuns = "is of a journey that runs here; stop it before it is archived"
    case keepsName = "stays what it is: '{name}'"
    case listMissing = "names the uploaded list '{name}', which is not there"
    case messageShown = "is of a message that is shown; stop it before it is changed"
    case nameOfAnother = "is that of another {kind}, {other}"
    case namesNothing = "names '{name}', which is not there"
    case newsNumber = "is the number of an item on another server; write the item's identifier"
    case newsShown =
        "is of an item that apps show or will show; make it a draft before it is changed"
    case noIdentifier = "is no identifier; write a UUID"
    case noNews = "names no news item here or in the file"
    case noSegmentHere = "names no segment that is there"
    /// What the store says.
    case notStored = "cannot be stored: {reason}"
    case noStepNamed =
        "names the step '{name}', which is not there; write its id, its name or 'end'"
    case noTime = "is no time; write 2026-07-04T09:00:00Z"
    case oneSegment = "has one segment at most"
    case oneTooManyHere = "is one too many: a workspace has at most {count}"
    case otherFieldType = "is {type}; the catalog here has {other}"
    case ownNames = "have names of their own"
    case segmentMissing = "names the segment '{name}', which is not there"
    case segmentName = "has 1 to {count} characters, without spaces around them"
    case severalNamed = "names '{name}', which several are called; write the identifier"
    case unknownField = "is not known here"
    case unknownFieldNear = "is not known here; did you mean '{name}'?"
    case unknownKind = "is unknown; did you mean '{name}'?"
    case variantIDs = "has a UUID for every variant"
    case variantRules = "is an object without rules: those of the message count"
}

extension FieldProblem {
    init(
        _ field: String,
        _ code: ContentFileReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(.request(field), Reason(code, arguments))
    }
}
