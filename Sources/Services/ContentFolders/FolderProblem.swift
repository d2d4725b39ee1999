import Model
import Reasons

/// What is wrong with a file of a folder.
package struct FolderProblem: Error, Hashable, CustomStringConvertible {
    /// The file, from the folder.
    package let path: String
    let place: YAMLReader.Place?
    /// The field of the file, where it is one.
    let field: String
    let reason: Reason

    /// What the reader of content files says.
    init(_ path: String, _ place: YAMLReader.Place?, field: String, reason: Reason) {
        self.path = path
        self.place = place
        self.field = field
        self.reason = reason
    }

    init(
        _ path: String,
        _ place: YAMLReader.Place? = nil,
        _ code: FolderReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(path, place, field: "", reason: Reason(code, arguments))
    }

    init(_ path: String, _ code: FolderReason, _ arguments: [String: Reason.Argument] = [:]) {
        self.init(path, nil, code, arguments)
    }

    /// From 1; `nil` where it is none.
    package var line: Int? { place?.line }
    package var column: Int? { place?.column }
    /// Without the place.
    package var text: String { (field.isEmpty ? "" : field + " ") + "\(reason)" }

    /// Such as `segments/regulars.yaml:4:3: filter is missing`.
    package var description: String {
        let position = place.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(path)\(position): \(text)"
    }
}

/// What is wrong with a folder.
package struct FolderError: Error, CustomStringConvertible {
    package let problems: [FolderProblem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
