import ContentFiles
import Foundation
import JSON
import Model
import NoroshiWire
import Reasons

/// The files of a folder as the lines of a content file.
struct FolderLines {
    let lock: FolderLock
    let objects: [FolderFiles.Object]
    /// A line for each object, in their order.
    private(set) var lines: [[String: JSONValue]] = []
    private(set) var items: [(path: String, line: Int, members: [String: JSONValue])] = []
    private(set) var identities: Set<ServerRows.Identity> = []
    /// The names of catalogs by the files of their rows.
    private(set) var rowFiles: [String: String] = [:]
    /// The files of rows by path.
    let rowTexts: [String: String]

    /// - Throws: `FolderError`.
    init(_ files: FolderFiles, _ server: ServerRows) throws(FolderError) {
        lock = files.lock
        objects = files.objects
        rowTexts = files.rows
        var problems: [FolderProblem] = []
        var paths: [ServerRows.Identity: String] = [:]
        for object in objects {
            let line = Self.line(of: object, lock: files.lock, server)
            let identity = ServerRows.identity(of: line)
            if let other = paths.updateValue(object.path, forKey: identity) {
                problems.append(
                    FolderProblem(object.path, .describedTwice, ["path": .text(other)])
                )
            }
            lines.append(line)
            identities.insert(identity)
            let rows = FolderLayout.rows(of: object.path)
            guard object.kind == "catalog", let text = files.rows[rows] else { continue }
            rowFiles[rows] = object.name
            do throws(FolderProblem) {
                let found = try CatalogRows.items(
                    text,
                    path: rows,
                    catalog: object.name,
                    fields: Self.fields(of: object.members)
                )
                var places: [String: Int] = [:]
                for item in found {
                    let id = item.members["id"]?.stringValue ?? ""
                    if let other = places.updateValue(item.line, forKey: id) {
                        problems.append(
                            FolderProblem(
                                rows,
                                YAMLReader.Place(line: item.line, column: 1),
                                .describedTwice,
                                ["path": "\(rows):\(other)"]
                            )
                        )
                    }
                    items.append((rows, item.line, item.members))
                }
            } catch {
                problems.append(error)
            }
        }
        guard problems.isEmpty else { throw FolderError(problems: problems) }
    }

    private static func line(
        of object: FolderFiles.Object,
        lock: FolderLock,
        _ server: ServerRows
    ) -> [String: JSONValue] {
        let entry = lock.entries[object.path]
        let seed = object.kind + "/" + object.name.lowercased()
        var line = object.members
        // The steps of a funnel are nobody.
        if object.kind != "report" {
            let value = FolderIdentities.added(
                to: .object(object.members),
                parts: entry?.parts ?? [:],
                seed: seed
            )
            line = value.objectValue ?? [:]
        }
        line["kind"] = .string(object.kind)
        guard FolderLayout.single[object.kind] == nil, object.kind != "catalog" else { return line }
        // What the file says of it is the file's, even if it is no identifier.
        if let given = line["id"], given != .null, given.stringValue == nil { return line }
        let id =
            line["id"]?.stringValue ?? entry?.id
            ?? server.identifier(of: object.kind, named: object.name)
            ?? FolderIdentities.identifier(seed)
        line["id"] = .string(id)
        // Who wrote a row is no difference where the file does not say it.
        let identity = ServerRows.identity(of: line)
        if line["author"] == nil, let author = server.line(identity)?["author"] {
            line["author"] = author
        }
        return line
    }

    /// All lines, numbered as the file that they are.
    var records: [(number: Int, bytes: [UInt8])] {
        (lines + items.map(\.members)).enumerated()
            .map { ($0 + 1, Array(JSONWriter.text($1).utf8)) }
    }

    /// The paths of files that say something else than the server.
    func changed(_ comparisons: [ContentComparison]) -> Set<String> {
        Set(comparisons.filter(\.isChanged).map { objects[$0.line - 1].path })
    }

    static func fields(of members: [String: JSONValue]) -> [(name: String, type: String)] {
        (members["fields"]?.arrayValue ?? []).map {
            ($0.objectValue?["name"]?.stringValue ?? "", $0.objectValue?["type"]?.stringValue ?? "")
        }
    }

    // MARK: Rows of catalogs

    /// In the order of the file.
    func rows(of path: String) -> [[String: JSONValue]] {
        items.filter { $0.path == path }.map(\.members)
    }

    func itemsValue(of catalog: String) -> JSONValue {
        let own = items.map(\.members).filter { $0["catalog"]?.stringValue == catalog }
        return .array(own.sorted { Self.id(of: $0) < Self.id(of: $1) }.map(JSONValue.object))
    }

    private static func id(of item: [String: JSONValue]) -> String {
        item["id"]?.stringValue ?? ""
    }

    /// Those that are new or other than the server's.
    func changedItems(_ server: ServerRows) -> [[String: JSONValue]] {
        items.map(\.members).filter { server.item(like: $0) != $0 }
    }

    func rowCounts(_ server: ServerRows) -> [FolderPlan.Rows] {
        rowFiles.sorted { $0.key < $1.key }.compactMap { path, catalog in
            var rows = FolderPlan.Rows(path: path)
            var known: Set<String> = []
            for item in items where item.path == path {
                known.insert(Self.id(of: item.members))
                let former = server.item(like: item.members)
                if former == nil {
                    rows.added += 1
                } else if former != item.members {
                    rows.changed += 1
                }
            }
            rows.onlyOnServer =
                (server.items[catalog] ?? [:]).keys.filter { !known.contains($0) }.count
            return rows == FolderPlan.Rows(path: path) ? nil : rows
        }
    }

    // MARK: Problems

    /// The problems of lines at their places in the files.
    func error(_ error: ValidationError) -> FolderError {
        FolderError(
            problems: error.problems.map { problem in
                guard case .line(let number, let field) = problem.path, number > 0 else {
                    return FolderProblem("", nil, field: "", reason: problem.reason)
                }
                if number > objects.count {
                    let item = items[min(number - objects.count, items.count) - 1]
                    return FolderProblem(
                        item.path,
                        YAMLReader.Place(line: item.line, column: 1),
                        field: field,
                        reason: problem.reason
                    )
                }
                let object = objects[number - 1]
                if let file = object.texts[field] {
                    return FolderProblem(file, nil, field: "", reason: problem.reason)
                }
                return FolderProblem(
                    object.path,
                    object.reader.place(of: field),
                    field: field,
                    reason: problem.reason
                )
            }
        )
    }
}

extension ContentFileService {
    /// What files mean for the rows that they describe, without those that cannot be read: they use names
    /// that are gone.
    ///
    /// - Returns: The paths of these besides.
    func comparing(
        _ written: FolderLines,
        in workspace: WorkspaceID
    ) async throws -> (comparisons: [ContentComparison], wrong: Set<String>) {
        var wrong: Set<String> = []
        var left = written.records
        while true {
            do {
                return (try await compare(left, in: workspace), wrong)
            } catch let error as ValidationError {
                let numbers = Set(error.problems.map(\.line))
                let count = left.count
                left.removeAll { numbers.contains($0.number) }
                guard left.count < count else { throw written.error(error) }
                wrong.formUnion(written.error(error).problems.map(\.path))
            }
        }
    }
}
