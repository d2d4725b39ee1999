/// A row that members write, as files of content call it.
package struct WrittenRow: Sendable, Hashable {
    /// Such as `content_block`.
    package let kind: String
    /// The identifier in lowercase; of a catalog its name, and empty for what a workspace has one of.
    package let id: String

    package init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }
}

/// A file of the folder that was applied to a workspace last.
package struct FolderFile: Sendable, Hashable {
    /// From the folder.
    package var path: String
    /// The row that the file describes; `nil` for files that other files name.
    package var row: WrittenRow?
    /// `nil` if it was too long to be kept.
    package var text: String?

    package init(path: String, row: WrittenRow? = nil, text: String?) {
        self.path = path
        self.row = row
        self.text = text
    }
}
