import ContentFiles
import Model
import NoroshiWire

/// Which files of a folder the server keeps when they are applied.
enum KeptFiles {
    /// Bytes of the files of one row, and of all.
    private static let rowLimit = 1 << 20
    private static let limit = 32 << 20

    /// The files as they are when they are applied, and the lock file as it is then.
    ///
    /// - Parameters:
    ///   - server: What it has before that.
    ///   - comparisons: What the files mean for the rows.
    static func of(
        _ tree: FolderTree,
        _ written: FolderLines,
        _ server: ServerRows,
        _ comparisons: [ContentComparison]
    ) -> [FolderFile] {
        var files: [FolderFile] = []
        var lock = FolderLock()
        var room = limit
        /// Those of them that are short enough together; what is too long is known by its path only.
        func keep(_ paths: [String], of row: WrittenRow?) {
            let texts = paths.map { tree.raw($0, limit: rowLimit) }
            let size = texts.reduce(0) { $0 + ($1?.utf8.count ?? rowLimit + 1) }
            let fits = size <= min(rowLimit, room)
            if fits { room -= size }
            for (place, path) in paths.enumerated() {
                files.append(
                    FolderFile(
                        path: path,
                        row: place == 0 ? row : nil,
                        text: fits ? texts[place] : nil
                    )
                )
            }
        }
        for comparison in comparisons {
            let object = written.objects[comparison.line - 1]
            let line = written.lines[comparison.line - 1]
            keep([object.path] + object.texts.values.sorted(), of: row(comparison.after))
            lock.entries[object.path] = FolderLock.Entry(of: line, agreed: comparison.after)
        }
        for (path, catalog) in written.rowFiles.sorted(by: { $0.key < $1.key }) {
            keep([path], of: nil)
            let rows = written.itemsValue(of: catalog)
            let mine = Set((rows.arrayValue ?? []).map { $0.objectValue?["id"]?.stringValue ?? "" })
            let isWhole = (server.items[catalog] ?? [:]).keys.allSatisfy(mine.contains)
            lock.entries[path] =
                isWhole
                ? FolderLock.Entry(digest: FolderLock.digest(of: rows)) : written.lock.entries[path]
        }
        files.append(FolderFile(path: FolderLayout.lock, text: lock.text))
        return files
    }

    static func row(_ line: JSONValue) -> WrittenRow {
        let members = line.objectValue ?? [:]
        let kind = members["kind"]?.stringValue ?? ""
        let name = kind == "catalog" ? members["name"]?.stringValue : nil
        return WrittenRow(kind: kind, id: name ?? members["id"]?.stringValue?.lowercased() ?? "")
    }
}
