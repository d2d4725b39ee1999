import ContentFiles
import JSON
import NoroshiWire

/// What applying a folder would change.
package struct FolderPlan: Sendable {
    package struct Entry: Sendable {
        package let path: String
        package let kind: String
        package let name: String
        package let isNew: Bool
        /// A line for each place that differs; empty for what is new.
        package let differences: [String]
        /// Whether the server's row was changed since folder and server last agreed, so that applying takes
        /// that change back.
        package let takesBack: Bool
        /// The row as it is, as the line of a content file; `nil` if it is new.
        package let before: JSONValue?
        /// The row as it would be.
        package let after: JSONValue
    }

    package struct Rows: Sendable, Hashable {
        package let path: String
        package var added = 0
        package var changed = 0
        /// Rows that only the server has; they stay.
        package var onlyOnServer = 0

        package init(path: String, added: Int = 0, changed: Int = 0, onlyOnServer: Int = 0) {
            self.path = path
            self.added = added
            self.changed = changed
            self.onlyOnServer = onlyOnServer
        }
    }

    /// A row of the folder, changed or not.
    package struct Row: Sendable {
        package let path: String
        /// The row as it is, as the line of a content file; `nil` if it is new.
        package let before: JSONValue?
        /// The row as it would be.
        package let after: JSONValue
    }

    /// New and changed rows, by path.
    package let entries: [Entry]
    /// All rows, by path.
    package let all: [Row]
    /// Rows of catalogs, where there is something to say of them.
    package let rows: [Rows]
    package let unchanged: Int
    /// What only the server has: kinds and names. It stays.
    package let onlyOnServer: [String]
    let comparisons: [ContentComparison]
    /// New and changed rows of catalogs, each behind what it was.
    let items: [[JSONValue]]
    let names: [String: String]

    /// What a row of the server is called that has an identifier.
    package func name(of id: String) -> String { names[id] ?? id }

    /// The names of the rows of a kind in the folder, changed or not.
    package func names(of kind: String) -> Set<String> {
        Set(
            all.compactMap { row in
                guard case .object(let members) = row.after, members["kind"] == .string(kind) else {
                    return nil
                }
                return members["name"]?.stringValue
            }
        )
    }

    package var isEmpty: Bool { entries.isEmpty && items.isEmpty }

    /// Names all that would be changed from what to what: another one means another plan.
    package var id: String {
        let changes = comparisons.filter(\.isChanged)
            .map { JSONValue.array([$0.before ?? .null, $0.after]) }
        return String(
            FolderLock.digest(of: .array(changes + items.map(JSONValue.array))).prefix(12)
        )
    }
}

/// What pulling has done.
package struct FolderPull: Sendable, Hashable {
    package var written: [String] = []
    package var removed: [String] = []
    /// Files that say something else than the server because they were edited here; they are left alone.
    package var waiting: [String] = []
    package var unchanged = 0

    package init() {}
}
