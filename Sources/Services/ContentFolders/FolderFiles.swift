import Foundation
import NoroshiWire
import Reasons

/// What the files of a folder say.
struct FolderFiles {
    struct Object {
        let path: String
        let kind: String
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
    init(_ root: URL) throws(FolderError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw FolderError(problems: [FolderProblem(root.relativePath, .noFolder)]) }
        var problems: [FolderProblem] = []
        func attempt(_ body: () throws(FolderProblem) -> Void) {
            do throws(FolderProblem) { try body() } catch { problems.append(error) }
        }
        var used: Set<String> = []
        let paths = Self.paths(in: root)
        var objects: [Object] = []
        for path in paths where path.hasSuffix(".yaml") {
            guard let kind = FolderLayout.kind(of: path) else {
                problems.append(FolderProblem(path, .unknownFile))
                continue
            }
            attempt { () throws(FolderProblem) in
                let object = try Self.object(path, kind: kind, in: root)
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
                rows[path] = try Self.text(path, in: root, limit: Self.rowByteLimit)
            }
        }
        if paths.contains(FolderLayout.lock) {
            attempt { () throws(FolderProblem) in
                lock = try FolderLock(
                    try Self.text(FolderLayout.lock, in: root, limit: Self.byteLimit)
                )
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

    /// The files that are the folder's: those at its top, those in folders of kinds, and YAML in others,
    /// whose name may be misspelt. What begins with a dot is somebody else's.
    private static func paths(in root: URL) -> [String] {
        let manager = FileManager.default
        func names(_ folder: String) -> [String] {
            ((try? manager.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? [])
                .filter { !$0.hasPrefix(".") }.sorted()
        }
        var paths: [String] = []
        for name in names("") {
            var isFolder: ObjCBool = false
            _ = manager.fileExists(atPath: root.appending(path: name).path, isDirectory: &isFolder)
            guard isFolder.boolValue else {
                if name.hasSuffix(".yaml") || name == FolderLayout.lock { paths.append(name) }
                continue
            }
            let isKnown = FolderLayout.folders.values.contains(name)
            paths += names(name).filter { isKnown || $0.hasSuffix(".yaml") }.map { "\(name)/\($0)" }
        }
        return paths
    }

    private static func text(
        _ path: String,
        in root: URL,
        limit: Int
    ) throws(FolderProblem) -> String {
        let manager = FileManager.default
        let type = (try? manager.attributesOfItem(atPath: root.appending(path: path).path))?[.type]
        guard type as? FileAttributeType == .typeRegular else { throw FolderProblem(path, .noFile) }
        guard let file = try? FileHandle(forReadingFrom: root.appending(path: path)),
            let data = try? file.read(upToCount: limit + 1) ?? Data()
        else { throw FolderProblem(path, .fileMissing, ["name": .text(path)]) }
        guard data.count <= limit else {
            throw FolderProblem(path, .tooLarge, ["count": "\(limit)"])
        }
        // Spreadsheets write a mark of the encoding first.
        let mark = Data("\u{FEFF}".utf8)
        let content = data.starts(with: mark) ? data.dropFirst(mark.count) : data
        guard let text = String(validating: content, as: UTF8.self) else {
            throw FolderProblem(path, .notUTF8)
        }
        return text
    }

    private static func object(
        _ path: String,
        kind: String,
        in root: URL
    ) throws(FolderProblem) -> Object {
        let reader = try YAMLReader(text(path, in: root, limit: byteLimit), path: path)
        var texts: [String: String] = [:]
        let value = try filled(reader.value, at: "", of: path, in: root, reader, &texts)
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
        return Object(path: path, kind: kind, members: members, reader: reader, texts: texts)
    }

    /// The value with the texts of the files that it names: `content: {file: footer.liquid}`.
    private static func filled(
        _ value: JSONValue,
        at field: String,
        of path: String,
        in root: URL,
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
                    in: root,
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
                        in: root,
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
                guard FileManager.default.fileExists(atPath: root.appending(path: other).path)
                else {
                    throw FolderProblem(path, place, .fileMissing, ["name": .text(file)])
                }
                texts[inner(name)] = other
                members[name] = .string(try text(other, in: root, limit: byteLimit))
            }
            return .object(members)
        default: return value
        }
    }
}
