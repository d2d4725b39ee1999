import NoroshiWire
import Reasons

/// What the files of a folder say.
struct FolderFiles {
    struct Object {
        let path: String
        let kind: String
        /// Of the YAML file.
        let text: String
        /// The members of the YAML file, with the texts of other files in their places.
        var members: [String: JSONValue]
        let reader: YAMLReader
        /// Paths of other files by the fields whose texts they hold.
        let texts: [String: String]

        var name: String { FolderLayout.name(of: members, kind: kind) }
    }

    private static let byteLimit = 8 << 20
    private static let rowByteLimit = 256 << 20
    /// Fields whose text may be in a file of its own.
    static let textFields: Set<String> = ["content", "page", "confirmation", "html", "body"]
    /// Members that belong to those who write them.
    static let opaque: Set<String> = ["attributes", "values", "key_value_pairs", "extras"]

    var lock = FolderLock()
    /// In the order of their paths.
    var objects: [Object] = []
    /// The CSV files of catalogs by path.
    var rows: [String: String] = [:]

    init() {}

    /// - Throws: `FolderError` with all that is wrong.
    init(_ tree: FolderTree) throws(FolderError) {
        var problems: [FolderProblem] = []
        func attempt(_ body: () throws(FolderProblem) -> Void) {
            do throws(FolderProblem) { try body() } catch { problems.append(error) }
        }
        var used: Set<String> = []
        let paths = tree.paths
        var objects: [Object] = []
        for path in paths where path.hasSuffix(".yaml") {
            guard let kind = FolderLayout.kind(of: path) else {
                problems.append(FolderProblem(path, .unknownFile))
                continue
            }
            attempt { () throws(FolderProblem) in
                let object = try Self.object(path, kind: kind, in: tree)
                used.formUnion(object.texts.values)
                objects.append(object)
            }
        }
        self.objects = objects
        for object in objects where object.kind == "catalog" {
            let path = FolderLayout.rows(of: object.path)
            guard paths.contains(path) else { continue }
            used.insert(path)
            attempt { () throws(FolderProblem) in
                rows[path] = try tree.text(path, limit: Self.rowByteLimit)
            }
        }
        if paths.contains(FolderLayout.lock) {
            attempt { () throws(FolderProblem) in
                lock = try FolderLock(tree.text(FolderLayout.lock, limit: Self.byteLimit))
            }
        }
        for path in paths
        where path.contains("/") && !path.hasSuffix(".yaml") && !path.hasSuffix(".md")
            && !used.contains(path)
        {
            problems.append(FolderProblem(path, .unknownFile))
        }
        guard problems.isEmpty else { throw FolderError(problems: problems) }
    }

    private static func object(
        _ path: String,
        kind: String,
        in tree: FolderTree
    ) throws(FolderProblem) -> Object {
        let text = try tree.text(path, limit: byteLimit)
        let reader = try YAMLReader(text, path: path)
        var texts: [String: String] = [:]
        let value = try filled(reader.value, at: "", of: path, in: tree, reader, &texts)
        guard case .object(let members) = value else {
            throw FolderProblem(path, YAMLReader.Place(), .noObject)
        }
        if let said = members["kind"], said != .string(kind) {
            throw FolderProblem(
                path,
                reader.place(of: "kind"),
                field: "kind",
                reason: Reason(FolderReason.otherKind, ["kind": .text(kind)])
            )
        }
        return Object(
            path: path,
            kind: kind,
            text: text,
            members: members,
            reader: reader,
            texts: texts
        )
    }

    /// The value with the texts of the files that it names: `content: {file: footer.liquid}`.
    private static func filled(
        _ value: JSONValue,
        at field: String,
        of path: String,
        in tree: FolderTree,
        _ reader: YAMLReader,
        _ texts: inout [String: String]
    ) throws(FolderProblem) -> JSONValue {
        func inner(_ name: String) -> String { field.isEmpty ? name : field + "." + name }
        switch value {
        case .array(var elements):
            for index in elements.indices {
                elements[index] = try filled(
                    elements[index],
                    at: inner(String(index)),
                    of: path,
                    in: tree,
                    reader,
                    &texts
                )
            }
            return .array(elements)
        case .object(var members):
            for (name, member) in members where !opaque.contains(name) {
                guard textFields.contains(name), case .object(let reference) = member,
                    reference.count == 1, let file = reference["file"]?.stringValue
                else {
                    members[name] = try filled(
                        member,
                        at: inner(name),
                        of: path,
                        in: tree,
                        reader,
                        &texts
                    )
                    continue
                }
                let folder = path.split(separator: "/").dropLast().joined(separator: "/")
                let place = reader.place(of: inner(name) + ".file")
                guard !file.isEmpty, !file.contains("/"), !file.contains("\\"), !file.hasPrefix(".")
                else { throw FolderProblem(path, place, .outside, ["name": .text(file)]) }
                let other = folder.isEmpty ? file : "\(folder)/\(file)"
                guard tree.contains(other) else {
                    throw FolderProblem(path, place, .fileMissing, ["name": .text(file)])
                }
                texts[inner(name)] = other
                members[name] = .string(try tree.text(other, limit: byteLimit))
            }
            return .object(members)
        default: return value
        }
    }
}
