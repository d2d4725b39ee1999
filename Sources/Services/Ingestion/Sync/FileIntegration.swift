import Foundation
import Model

/// A file of the operator's folder that is imported into a workspace on request.
package struct FileIntegration: Sendable, Hashable {
    package var id: UUID
    /// The file's name without its extension.
    package var name: String
    package var kind: ImportReader.Kind
    package var format: ImportReader.Format
    package var path: String
    package var changedAt: Date
}

/// The operator's folder of files: `WORKSPACE/users/*.csv`, `WORKSPACE/events/*.ndjson` and so on,
/// where WORKSPACE is the workspace's number.
package struct IntegrationFolder: Sendable {
    /// Maximum number of files per workspace; further ones are ignored.
    private static let fileLimit = 1_000

    private let path: String?

    /// - Parameter path: `nil` means that there are no integrations.
    package init(path: String?) {
        self.path = path
    }

    /// By kind and name.
    package func integrations(of workspace: WorkspaceID) -> [FileIntegration] {
        guard let path else { return [] }
        var found: [FileIntegration] = []
        for kind in ImportReader.Kind.allCases {
            let folder = URL(filePath: path).appending(path: "\(workspace)/\(kind.rawValue)")
            // A missing folder counts as empty.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names.sorted() where found.count < Self.fileLimit {
                if let file = Self.integration(name, in: folder, kind, workspace) {
                    found.append(file)
                }
            }
        }
        return found
    }

    package func integration(_ id: UUID, of workspace: WorkspaceID) -> FileIntegration? {
        integrations(of: workspace).first { $0.id == id }
    }

    /// `nil` unless the file is a regular one: a link may lead anywhere, and a pipe may never end.
    private static func integration(
        _ name: String,
        in folder: URL,
        _ kind: ImportReader.Kind,
        _ workspace: WorkspaceID
    ) -> FileIntegration? {
        let file = folder.appending(path: name)
        guard !name.hasPrefix("."),
            let format = ImportReader.Format(rawValue: file.pathExtension.lowercased()),
            let facts = try? FileManager.default.attributesOfItem(atPath: file.path),
            facts[.type] as? FileAttributeType == .typeRegular,
            let changedAt = facts[.modificationDate] as? Date
        else { return nil }
        return FileIntegration(
            id: RecordKey(workspace: workspace, request: "sync/\(kind.rawValue)/\(name)")
                .id(list: 0, index: 0),
            name: file.deletingPathExtension().lastPathComponent,
            kind: kind,
            format: format,
            path: file.path,
            changedAt: changedAt
        )
    }
}
