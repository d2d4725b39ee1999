import ContentFiles
import Foundation
import NoroshiWire

/// Brings the files of a folder to what the server has.
struct FolderPulling {
    private let written: FolderLines
    private let server: ServerRows
    private let overwrites: Bool
    /// By path.
    private let comparisons: [String: ContentComparison]
    private(set) var pull = FolderPull()
    private(set) var lock: FolderLock
    private var files: [String: String] = [:]
    private var gone: Set<String> = []
    private var problems: [FolderProblem] = []

    init(
        _ written: FolderLines,
        _ comparisons: [ContentComparison],
        _ server: ServerRows,
        overwrites: Bool
    ) {
        self.written = written
        self.server = server
        self.overwrites = overwrites
        self.comparisons = Dictionary(
            uniqueKeysWithValues: comparisons.map { (written.objects[$0.line - 1].path, $0) }
        )
        lock = written.lock
    }

    /// - Throws: `FolderError` for what was changed on both sides, and an error of YAML.
    mutating func run() throws {
        let here = Dictionary(
            uniqueKeysWithValues: zip(written.lines, written.objects)
                .map { (ServerRows.identity(of: $0), $1) }
        )
        var taken = Set(written.objects.map { $0.path.lowercased() })
        for line in server.lines {
            let identity = ServerRows.identity(of: line)
            let object = here[identity]
            let path =
                object?.path
                ?? FolderLayout.path(for: identity.name, kind: identity.kind) {
                    taken.contains($0.lowercased())
                }
            taken.insert(path.lowercased())
            if object.map({ mayReplace($0) }) ?? true { try put(line, at: path, instead: object) }
            if identity.kind == "catalog" { putRows(line, at: FolderLayout.rows(of: path)) }
        }
        for (line, object) in zip(written.lines, written.objects)
        where server.line(ServerRows.identity(of: line)) == nil { remove(object) }
        guard problems.isEmpty else { throw FolderError(problems: problems) }
    }

    /// Whether a file may be replaced; notes what it is otherwise.
    private mutating func mayReplace(_ object: FolderFiles.Object) -> Bool {
        guard !overwrites else { return true }
        guard let comparison = comparisons[object.path], comparison.isChanged else {
            pull.unchanged += 1
            return false
        }
        let agreed = written.lock.entries[object.path]?.digest
        if agreed == FolderLock.digest(of: comparison.after) { return true }
        if let before = comparison.before, agreed == FolderLock.digest(of: before) {
            pull.waiting.append(object.path)
        } else {
            problems.append(FolderProblem(object.path, .editedOnBothSides))
        }
        return false
    }

    private mutating func put(
        _ line: [String: JSONValue],
        at path: String,
        instead object: FolderFiles.Object?
    ) throws {
        let text = try FolderText(line, path: path)
        files.merge(text.files) { $1 }
        gone.formUnion(object?.texts.values.filter { text.files[$0] == nil } ?? [])
        lock.entries[path] = FolderLock.Entry(
            id: line["id"]?.stringValue,
            parts: text.parts,
            digest: ""
        )
        pull.written.append(path)
    }

    /// The rows of a catalog; an empty catalog needs no file for them.
    private mutating func putRows(_ line: [String: JSONValue], at path: String) {
        let catalog = line["name"]?.stringValue ?? ""
        let rows = server.itemsValue(of: catalog)
        let mine = written.rowFiles[path].map(written.itemsValue)
        guard rows != mine ?? .array([]) else { return }
        if let mine, !overwrites {
            let agreed = written.lock.entries[path]?.digest
            guard agreed == FolderLock.digest(of: mine) else {
                if agreed == FolderLock.digest(of: rows) {
                    pull.waiting.append(path)
                } else {
                    problems.append(FolderProblem(path, .editedOnBothSides))
                }
                return
            }
        }
        files[path] = CatalogRows.text(
            (rows.arrayValue ?? []).compactMap(\.objectValue),
            fields: FolderLines.fields(of: line)
        )
        pull.written.append(path)
    }

    /// Removes the file of a row that the server had and has no longer.
    private mutating func remove(_ object: FolderFiles.Object) {
        guard let agreed = written.lock.entries[object.path]?.digest else {
            if overwrites { return }
            return pull.waiting.append(object.path)
        }
        guard
            overwrites
                || comparisons[object.path].map({ FolderLock.digest(of: $0.after) }) == agreed
        else { return problems.append(FolderProblem(object.path, .editedOnBothSides)) }
        gone.insert(object.path)
        gone.formUnion(object.texts.values)
        if object.kind == "catalog" { gone.insert(FolderLayout.rows(of: object.path)) }
        lock.entries[object.path] = nil
        pull.removed.append(object.path)
    }

    // MARK: On disk

    func write(to root: URL) throws {
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            try Self.put(text, at: path, in: root)
        }
        for path in gone where files[path] == nil {
            try? FileManager.default.removeItem(at: root.appending(path: path))
        }
    }

    /// Writes a file as a whole, unless it is the same already.
    static func put(_ text: String, at path: String, in root: URL) throws {
        let file = root.appending(path: path)
        let data = Data(text.utf8)
        if (try? Data(contentsOf: file)) == data { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file, options: .atomic)
    }
}
