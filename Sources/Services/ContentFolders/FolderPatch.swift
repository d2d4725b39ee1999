import ContentFiles
import Model
import NoroshiWire

/// What makes the files that were applied last say what the server says now.
package struct FolderPatch: Sendable {
    /// A row that the files describe otherwise.
    package struct Row: Sendable {
        package let row: WrittenRow
        package let name: String
        package let path: String
        /// Whether the server has it no longer.
        package let isGone: Bool
        /// For the files of this row alone.
        package let text: String
    }

    /// By path.
    package let rows: [Row]
    /// For all of them, as `git apply` takes it.
    package let text: String
    /// Files that are too long to be kept, by path.
    package let unknown: [String]

    package init(rows: [Row] = [], text: String = "", unknown: [String] = []) {
        self.rows = rows
        self.text = text
        self.unknown = unknown
    }

    package func row(_ row: WrittenRow) -> Row? { rows.first { $0.row == row } }
}

extension FolderPatch {
    /// - Parameters:
    ///   - files: Those that were applied.
    ///   - pulling: What was found to be different.
    ///   - isShown: Whether rows of a kind are told of.
    init(
        _ files: [FolderFile],
        _ written: FolderLines,
        _ pulling: FolderPulling,
        isShown: (_ kind: String) -> Bool
    ) {
        let old = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
        func difference(_ path: String) -> String {
            let new = pulling.files[path] ?? (pulling.gone.contains(path) ? nil : old[path] ?? nil)
            return UnifiedDiff.text(path, from: old[path] ?? nil, to: new)
        }
        func lock(_ paths: Set<String>) -> String {
            var lock = written.lock
            for path in paths { lock.entries[path] = pulling.lock.entries[path] }
            return UnifiedDiff.text(FolderLayout.lock, from: written.lock.text, to: lock.text)
        }
        let owners = Dictionary(
            files.compactMap { file in file.row.map { (file.path, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        var found: [Row] = []
        var all = ""
        var allPaths: Set<String> = []
        for object in written.objects where isShown(object.kind) {
            guard let row = owners[object.path] else { continue }
            let texts = Set(object.texts.values).union(pulling.parts[object.path] ?? [])
                .subtracting([object.path])
            let rows = object.kind == "catalog" ? [FolderLayout.rows(of: object.path)] : []
            let paths = [object.path] + texts.sorted() + rows
            let text = paths.map(difference).joined()
            guard !text.isEmpty else { continue }
            found.append(
                Row(
                    row: row,
                    name: object.name,
                    path: object.path,
                    isGone: pulling.gone.contains(object.path),
                    text: text + lock(Set(paths))
                )
            )
            all += text
            allPaths.formUnion(paths)
        }
        self.init(
            rows: found,
            text: all + lock(allPaths),
            unknown: files.filter { $0.text == nil }.map(\.path)
        )
    }
}
