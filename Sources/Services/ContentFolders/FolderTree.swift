import Foundation
import Reasons

/// Where the files of a folder are: on disk, or in memory.
struct FolderTree {
    /// The files that are the folder's, in order.
    let paths: [String]
    private let read: (_ path: String, _ limit: Int) throws(FolderProblem) -> Data
    private let has: (_ path: String) -> Bool

    /// - Throws: `FolderError` if there is no folder.
    init(_ root: URL) throws(FolderError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw FolderError(problems: [FolderProblem(root.relativePath, .noFolder)]) }
        paths = Self.paths(in: root)
        has = { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
        read = { path, limit throws(FolderProblem) in
            let file = root.appending(path: path)
            let type = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type]
            guard type as? FileAttributeType == .typeRegular else {
                throw FolderProblem(path, .noFile)
            }
            guard let handle = try? FileHandle(forReadingFrom: file),
                let data = try? handle.read(upToCount: limit + 1) ?? Data()
            else { throw FolderProblem(path, .fileMissing, ["name": .text(path)]) }
            return data
        }
    }

    /// Texts by path, which may lie in folders as on disk.
    init(_ texts: [String: String]) {
        paths = texts.keys.filter(Self.isOurs).sorted()
        has = { texts[$0] != nil }
        read = { path, _ throws(FolderProblem) in
            guard let text = texts[path] else {
                throw FolderProblem(path, .fileMissing, ["name": .text(path)])
            }
            return Data(text.utf8)
        }
    }

    /// Another tree with some files changed, and others gone.
    init(_ tree: FolderTree, changed: [String: String], gone: Set<String>) {
        paths = Set(tree.paths).subtracting(gone).union(changed.keys).sorted()
        has = { changed[$0] != nil || !gone.contains($0) && tree.has($0) }
        read = { path, limit throws(FolderProblem) in
            if let text = changed[path] { return Data(text.utf8) }
            return try tree.read(path, limit)
        }
    }

    func contains(_ path: String) -> Bool { has(path) }

    /// The text byte for byte; `nil` for what is no text, or too long.
    func raw(_ path: String, limit: Int) -> String? {
        guard let data = try? read(path, limit), data.count <= limit else { return nil }
        return String(validating: data, as: UTF8.self)
    }

    /// - Throws: `FolderProblem` for what is no text, or too long.
    func text(_ path: String, limit: Int) throws(FolderProblem) -> String {
        let data = try read(path, limit)
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
            if isFolder.boolValue {
                paths += names(name).map { "\(name)/\($0)" }
            } else {
                paths.append(name)
            }
        }
        return paths.filter(isOurs)
    }

    private static func isOurs(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard parts.count <= 2, !parts.contains(where: { $0.hasPrefix(".") }) else { return false }
        guard parts.count == 2 else { return path.hasSuffix(".yaml") || path == FolderLayout.lock }
        return path.hasSuffix(".yaml") || FolderLayout.folders.values.contains { $0 == parts[0] }
    }
}
