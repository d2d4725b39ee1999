import Foundation
import Reasons

/// Where the files of a folder are: on disk, or in memory.
struct FolderTree {
    /// The files that are the folder's, in order.
    let paths: [String]
    private let read: (_ path: String, _ limit: Int) throws(FolderProblem) -> Data
    private let has: (_ path: String) -> Bool

    /// - Parameter list: The names in a folder.
    /// - Throws: `FolderError` if there is no folder, or one of a kind in it cannot be read: what is in it would
    ///   count as gone.
    init(
        _ root: URL,
        list: (URL) throws -> [String] = {
            try FileManager.default.contentsOfDirectory(atPath: $0.path)
        }
    ) throws(FolderError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw FolderError(problems: [FolderProblem(root.relativePath, .noFolder)]) }
        paths = try Self.paths(in: root, list)
        has = { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
        read = { path, limit throws(FolderProblem) in
            let file = root.appending(path: path)
            let type = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type]
            guard type as? FileAttributeType == .typeRegular else {
                throw FolderProblem(path, .noFile)
            }
            do {
                return try FileHandle(forReadingFrom: file).read(upToCount: limit + 1) ?? Data()
            } catch {
                throw FolderProblem(path, unreadable: error)
            }
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
    private static func paths(
        in root: URL,
        _ list: (URL) throws -> [String]
    ) throws(FolderError) -> [String] {
        func names(_ folder: String) throws(FolderError) -> [String] {
            do {
                return try list(root.appending(path: folder)).filter { !$0.hasPrefix(".") }.sorted()
            } catch {
                let path = folder.isEmpty ? root.relativePath : folder
                throw FolderError(problems: [FolderProblem(path, unreadable: error)])
            }
        }
        var paths: [String] = []
        for name in try names("") {
            var isFolder: ObjCBool = false
            _ = FileManager.default
                .fileExists(atPath: root.appending(path: name).path, isDirectory: &isFolder)
            guard isFolder.boolValue else {
                paths.append(name)
                continue
            }
            do {
                paths += try names(name).map { "\(name)/\($0)" }
            } catch {
                // Others, such as the file system's own, need not be for us to read.
                if FolderLayout.folders.values.contains(name) { throw error }
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

extension FolderProblem {
    fileprivate init(_ path: String, unreadable error: any Error) {
        self.init(path, .unreadable, ["reason": .text(error.localizedDescription)])
    }
}
