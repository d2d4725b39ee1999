import Reasons

/// Why facts cannot be written into a folder.
///
/// Only who exports them on the command line reads it: it is said in English.
package enum FactExportReason: String, ReasonCode {
    package static let family = ReasonFamily.factExport

    case inUse = "another export writes into {path}"
    case lineWithoutNumber = "a line has no number"
    case noFacts = "{name} has no facts; remove it"
    case otherFacts =
        "{path} holds facts of '{workspace}' as {format}, or of other kinds; choose another folder"
    case system = "{path}: {reason}"
    case unreadable = "{path} cannot be read: {reason}"
}

package typealias FactExportProblem = CodedError<FactExportReason>
