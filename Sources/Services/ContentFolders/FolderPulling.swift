import ContentFiles
import Foundation
import NoroshiWire

/// Brings the files of a folder to what the server has.
struct FolderPulling {
    private let written: FolderLines
    private let server: ServerRows
    private let overwrites: Bool
    /// Whether rows without a file stay without one.
    private let onlyFiles: Bool
    /// By path.
    private let comparisons: [String: ContentComparison]
    private(set) var pull = FolderPull()
    private(set) var lock: FolderLock
    /// What is to be written, by path.
    private(set) var files: [String: String] = [:]
    private(set) var gone: Set<String> = []
    /// The files that were written for each row, by the path of its own.
    private(set) var parts: [String: Set<String>] = [:]
    private var problems: [FolderProblem] = []

    init(
        _ written: FolderLines,
        _ comparisons: [ContentComparison],
        _ server: ServerRows,
        overwrites: Bool = false,
        onlyFiles: Bool = false
    ) {
        self.written = written
        self.onlyFiles = onlyFiles
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
            if onlyFiles, object == nil { continue }
            let path =
                object?.path
                ?? FolderLayout.path(for: identity.name, kind: identity.kind) {
                    taken.contains($0.lowercased())
                }
            taken.insert(path.lowercased())
            if object.map({ mayReplace($0) }) ?? true { try put(line, at: path, instead: object) }
            guard identity.kind == "catalog" else { continue }
            let rows = FolderLayout.rows(of: path)
            if !onlyFiles || written.rowFiles[rows] != nil { putRows(line, at: rows) }
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
        if onlyFiles { return true }
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
        let comparison = comparisons[path]
        let text: FolderText
        if let object, let comparison, !overwrites {
            text = try FolderText(line, keeping: object, comparison)
        } else {
            text = try FolderText(line, path: path)
        }
        write(text, at: path, instead: object)
        lock.entries[path] = FolderLock.Entry(
            id: line["id"]?.stringValue,
            parts: text.parts,
            digest: comparison?.before.map(FolderLock.digest) ?? ""
        )
        pull.written.append(path)
    }

    private mutating func write(
        _ text: FolderText,
        at path: String,
        instead object: FolderFiles.Object?
    ) {
        let former = parts.removeValue(forKey: path) ?? []
        files = files.filter { !former.contains($0.key) }
        files.merge(text.files) { $1 }
        parts[path] = Set(text.files.keys)
        gone.formUnion(object?.texts.values.filter { text.files[$0] == nil } ?? [])
    }

    /// The rows of a catalog; an empty catalog needs no file for them.
    private mutating func putRows(_ line: [String: JSONValue], at path: String) {
        let catalog = line["name"]?.stringValue ?? ""
        let rows = server.itemsValue(of: catalog)
        let mine = written.rowFiles[path].map(written.itemsValue)
        guard rows != mine ?? .array([]) else { return }
        if let mine, !overwrites, !onlyFiles {
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
        let items = (rows.arrayValue ?? []).compactMap(\.objectValue)
        files[path] =
            written.rowTexts[path].flatMap { former in
                CatalogRows.text(items, keeping: former, written.rows(of: path))
            } ?? CatalogRows.text(items, fields: FolderLines.fields(of: line))
        lock.entries[path] = FolderLock.Entry(digest: FolderLock.digest(of: rows))
        pull.written.append(path)
    }

    /// Removes the file of a row that the server had and has no longer.
    private mutating func remove(_ object: FolderFiles.Object) {
        let agreed = written.lock.entries[object.path]?.digest
        if agreed == nil, !onlyFiles {
            if overwrites { return }
            return pull.waiting.append(object.path)
        }
        guard
            overwrites || onlyFiles
                || comparisons[object.path].map({ FolderLock.digest(of: $0.after) }) == agreed
        else { return problems.append(FolderProblem(object.path, .editedOnBothSides)) }
        gone.insert(object.path)
        gone.formUnion(object.texts.values)
        lock.entries[object.path] = nil
        if object.kind == "catalog" {
            let rows = FolderLayout.rows(of: object.path)
            gone.insert(rows)
            lock.entries[rows] = nil
        }
        pull.removed.append(object.path)
    }

    /// What the files will say; `nil` if nothing is changed.
    ///
    /// - Throws: `FolderError`.
    func outcome(_ tree: FolderTree) throws(FolderError) -> FolderLines? {
        guard !files.isEmpty || !gone.isEmpty else { return nil }
        var changed = try FolderFiles(FolderTree(tree, changed: files, gone: gone))
        changed.lock = lock
        return try FolderLines(changed, server)
    }

    /// Has files say all that the server says, where the difference alone leaves them something else: a name
    /// that they use may be another's now.
    mutating func correct(_ paths: Set<String>) throws {
        for (line, object) in zip(written.lines, written.objects)
        where paths.contains(object.path) || !paths.isDisjoint(with: object.texts.values) {
            guard let row = server.line(ServerRows.identity(of: line)) else { continue }
            let text = try FolderText(row, keeping: object, nil)
            write(text, at: object.path, instead: object)
        }
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
