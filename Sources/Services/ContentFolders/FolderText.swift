import Foundation
import NoroshiWire

/// The files of one row.
struct FolderText {
    /// Texts by path; the YAML file is among them.
    private(set) var files: [String: String] = [:]
    let parts: [String: String]

    /// Members that mean nothing where they are empty.
    static let optional: Set<String> = [
        "description", "tags", "tenant", "category", "url", "image_url", "attributes", "selections",
    ]
    private static let shortText = 400
    private static let shortLines = 8

    /// - Parameter line: The row as the line of a content file.
    /// - Throws: An error of YAML for what it cannot hold.
    init(_ line: [String: JSONValue], path: String) throws {
        var members = line
        for name in ["kind", "id"] { members[name] = nil }
        for name in Self.optional {
            if Self.isEmpty(members[name]) { members[name] = nil }
        }
        let (value, parts) = FolderIdentities.removed(from: .object(members))
        self.parts = parts
        let whole = moved(value, at: "", path)
        files[path] = try YAMLWriter.text(whole)
    }

    init(files: [String: String], parts: [String: String]) {
        self.files = files
        self.parts = parts
    }

    static func isEmpty(_ value: JSONValue?) -> Bool {
        [JSONValue.string(""), .array([]), .object([:])].contains(value)
    }

    /// The value without long texts, which go into files of their own.
    private mutating func moved(_ value: JSONValue, at field: String, _ path: String) -> JSONValue {
        func inner(_ name: String) -> String { field.isEmpty ? name : field + "-" + name }
        switch value {
        case .array(let elements):
            var moved: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                moved.append(self.moved(element, at: inner(String(index + 1)), path))
            }
            return .array(moved)
        case .object(var members):
            for (name, member) in members where !FolderFiles.opaque.contains(name) {
                guard FolderFiles.textFields.contains(name), case .string(let text) = member,
                    Self.isLong(text)
                else {
                    members[name] = moved(member, at: inner(name), path)
                    continue
                }
                let ending = text.drop(while: \.isWhitespace).hasPrefix("<") ? "html" : "liquid"
                let file = "\(FolderLayout.stem(path)).\(inner(name)).\(ending)"
                files[file] = text
                let short = file.split(separator: "/").last.map(String.init) ?? file
                members[name] = .object(["file": .string(short)])
            }
            return .object(members)
        default: return value
        }
    }

    private static func isLong(_ text: String) -> Bool {
        text.utf8.count > shortText || text.split(whereSeparator: \.isNewline).count > shortLines
    }
}
