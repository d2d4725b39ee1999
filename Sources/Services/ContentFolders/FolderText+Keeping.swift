import ContentFiles
import NoroshiWire

extension FolderText {
    /// The files of a row as they are, with what the server says differently since.
    ///
    /// - Parameters:
    ///   - line: The server's row, with names where files have names.
    ///   - object: What the files say.
    ///   - comparison: Both, with identifiers; without it the files get all that the server says.
    /// - Throws: An error of YAML for what it cannot hold.
    init(
        _ line: [String: JSONValue],
        keeping object: FolderFiles.Object,
        _ comparison: ContentComparison?
    ) throws {
        func plain(_ value: JSONValue) -> JSONValue {
            guard case .object(var members) = FolderIdentities.removed(from: value).value else {
                return value
            }
            for name in ["kind", "id"] { members[name] = nil }
            for name in Self.optional where Self.isEmpty(members[name]) { members[name] = nil }
            return .object(members)
        }
        let named = plain(.object(line))
        var merged =
            comparison.map {
                Self.merged(
                    .object(object.members),
                    plain($0.after),
                    plain($0.before ?? .null),
                    named
                )
            } ?? named
        var files: [String: String] = [:]
        for (field, path) in object.texts {
            let file = path.split(separator: "/").last.map(String.init) ?? path
            let parts = field.split(separator: ".").map(String.init)
            if let text = Self.take(parts[...], in: &merged, leaving: file) { files[path] = text }
        }
        files[object.path] = try YAMLEdit.text(
            object.text,
            from: object.reader.value,
            to: merged
        )
        self.init(
            files: files,
            parts: FolderIdentities.removed(from: .object(line)).parts
        )
    }

    /// What a file says, with the difference between two other values in it.
    ///
    /// - Parameter named: `new`, as a file would say it.
    private static func merged(
        _ mine: JSONValue?,
        _ old: JSONValue?,
        _ new: JSONValue?,
        _ named: JSONValue
    ) -> JSONValue {
        guard let mine else { return named }
        guard old != new else { return mine }
        switch (mine, old, new, named) {
        case (.object(var members), .object(let old)?, .object(let new)?, .object(let named)):
            for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
                members[key] = named[key].map { merged(members[key], old[key], new[key], $0) }
            }
            return .object(members)
        case (.array(let mine), .array(let old)?, .array(let new)?, .array(let named))
        where mine.count == old.count && new.count == named.count:
            // Those that stay at the beginning and at the end are whom the file has there.
            let ends = SharedEnds(old, new)
            let isSame = old.count == new.count
            return .array(
                new.indices.map { place in
                    if place < ends.head { return mine[place] }
                    if place >= new.count - ends.tail { return mine[place + old.count - new.count] }
                    return isSame
                        ? merged(mine[place], old[place], new[place], named[place]) : named[place]
                }
            )
        default: return named
        }
    }

    /// Takes a text out of a value, and leaves the name of its file.
    private static func take(
        _ path: ArraySlice<String>,
        in value: inout JSONValue,
        leaving file: String
    ) -> String? {
        guard let name = path.first else {
            guard case .string(let text) = value else { return nil }
            value = .object(["file": .string(file)])
            return text
        }
        switch value {
        case .object(var members):
            guard var member = members[name] else { return nil }
            let text = take(path.dropFirst(), in: &member, leaving: file)
            members[name] = member
            value = .object(members)
            return text
        case .array(var elements):
            guard let place = Int(name), elements.indices.contains(place) else { return nil }
            let text = take(path.dropFirst(), in: &elements[place], leaving: file)
            value = .array(elements)
            return text
        default: return nil
        }
    }
}
