import Reasons

/// What can be wrong with a file of a folder.
///
/// Only commands say it, in English.
enum FolderReason: String, ReasonCode {
    static let family = ReasonFamily.folder

    case badLock = "cannot be read; restore it from version control"
    case cellCount = "has {count} cells in this row and {columns} in its header"
    case columnTwice = "has two columns of the same name"
    case describedTwice = "describes what {path} describes already"
    case editedOnBothSides =
        "was changed here and on the server since the last pull; apply it or move it away first"
    case fileMissing = "names the file '{name}', which is not there"
    case keyIsNoText = "has a key that is no text"
    case noAnchor = "uses the anchor '{name}', which is not there"
    case noFile = "is no file of its own; write the text here instead of a link"
    case noFolder = "is no folder"
    case noIDColumn = "begins with a header whose first column is 'id'"
    case noObject = "is a list or a single value; write members such as 'name: …'"
    case notUTF8 = "is no text in UTF-8"
    case notYAML = "is no YAML: {reason}"
    case otherKind = "is {kind} here, by the folder of the file; leave it out"
    case outside = "names '{name}', which lies outside the folder"
    case saidTwice = "says the same twice: {names}"
    case tooLarge = "has more than {count} bytes"
    case tooManyValues = "has more than {count} values"
    case unknownColumn = "has the column '{name}', which the catalog has not"
    case unknownFile =
        "belongs to nothing that this version knows; move it out of the folder, or check its name"
    case unreadable = "cannot be read: {reason}"
}
