import ContentFolders
import Model
import WebPages

/// What a page says of the file that a row comes from.
struct FileNotice: Sendable {
    let text: String
    let link: String
    let address: String

    init(_ text: String, _ row: WrittenRow?, _ words: Words) {
        self.text = text
        link = words("files.see")
        address = row.map { ConsolePath.files.query(.row($0)) } ?? ConsolePath.files.path
    }
}

extension FormFields {
    /// Names a row in an address.
    static func row(_ row: WrittenRow) -> FormFields {
        FormFields([("kind", row.kind), ("id", row.id)])
    }
}

extension ConsoleRenderer {
    /// Whoever edits a row that comes from a file is told so, and after each change that files have to follow.
    func fileNotice(_ context: ConsoleContext) async throws -> FileNotice? {
        let folders = services.folders
        guard context.hasRole(atLeast: .marketer), try await folders.isUsed(in: context.workspace),
            !context.address.hasPrefix(ConsolePath.files.path)
        else { return nil }
        let row = try await WrittenRowFinder(site: self, context: context).row()
        if FlashMessage(rawValue: context.query["notice"]) != nil {
            // A page does not fail because its file cannot be told of.
            let patch = (try? await patch(for: context)) ?? FolderPatch()
            if let changed = row.flatMap(patch.row) ?? patch.rows.first {
                let text = context.words("files.changed", ["file": changed.path])
                return FileNotice(text, changed.row, context.words)
            }
        }
        guard let row, let path = try await folders.path(of: row, in: context.workspace) else {
            return nil
        }
        return FileNotice(context.words("files.owned", ["file": path]), row, context.words)
    }

    /// Settings and limits are for those who may change them.
    func patch(for context: ConsoleContext) async throws -> FolderPatch {
        try await services.folders.patch(in: context.workspace) { kind in
            context.hasRole(atLeast: .administrator) || kind != "settings" && kind != "limits"
        }
    }
}
