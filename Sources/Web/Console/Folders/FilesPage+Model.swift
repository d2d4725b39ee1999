import ContentFolders
import Foundation
import Model
import WebPages

/// The rows that the files of a folder describe otherwise than they are, with what the files would have to say.
struct FilesPage {
    struct Part {
        let id: String
        let title: String
        let note: String?
        /// `nil` if it is too long to be read here.
        let text: String?
        let copyTarget: String
        let address: String
    }

    /// Bytes of a patch that is shown, and rows on the page.
    private static let shownBytes = 40_000
    private static let shownRows = 50

    /// Of the settings, for those who may change them.
    let tabs: [SettingsTabLink]
    let title: String
    let backAddress: String?
    let isUsed: Bool
    let isSame: Bool
    let parts: [Part]
    /// Of several rows, all that the files would have to say.
    let whole: Part?
    let notes: [String]
    let releaseAction: String?

    let hasTabs: Bool

    init(
        _ patch: FolderPatch,
        isUsed: Bool,
        only row: WrittenRow?,
        path: String?,
        context: ConsoleContext
    ) {
        let words = context.words
        tabs =
            row == nil && context.hasRole(atLeast: .administrator)
            ? SettingsTabLink.all(.files, words) : []
        hasTabs = !tabs.isEmpty
        title = path ?? words("files.title")
        backAddress = row == nil ? nil : ConsolePath.files.path
        self.isUsed = isUsed
        let rows = row == nil ? patch.rows : patch.rows.filter { $0.row == row }
        isSame = rows.isEmpty
        func part(
            _ id: String,
            _ title: String,
            _ note: String?,
            _ text: String,
            _ row: WrittenRow?
        )
            -> Part
        {
            let fields = row.map(FormFields.row) ?? FormFields([])
            return Part(
                id: id,
                title: title,
                note: note,
                text: text.utf8.count <= Self.shownBytes ? text : nil,
                copyTarget: "#" + id,
                address: ConsolePath.filesPatch.query(fields)
            )
        }
        parts = rows.prefix(Self.shownRows).enumerated().map { place, found in
            part(
                "patch-\(place + 1)",
                found.path,
                found.isGone ? words("files.gone", ["name": found.name]) : found.name,
                found.text,
                found.row
            )
        }
        whole =
            row == nil && rows.count > 1
            ? part("patch-all", words("files.whole"), nil, patch.text, nil) : nil
        var notes: [String] = []
        if rows.count > Self.shownRows {
            notes.append(words.counted("files.more", rows.count - Self.shownRows))
        }
        if row == nil, !patch.unknown.isEmpty {
            let paths = patch.unknown.prefix(5).joined(separator: ", ")
            notes.append(words("files.unknown", ["files": paths]))
        }
        self.notes = notes
        releaseAction =
            isUsed && row == nil && context.hasRole(atLeast: .administrator)
            ? ConsolePath.releaseFiles.path : nil
    }
}
