import Foundation

/// Lists of users that people upload, for conditions such as `in list "summer"`.
package protocol UserListPages: Sendable {
    /// In the order of their names.
    func lists(for member: ConsoleMember) async throws -> [UserListRow]
    /// Makes a list of the users whose external ids a CSV file has in its first column, or gives
    /// the list of that name these users.
    /// - Throws: ``UserListRejected``.
    func upload(
        _ csv: [UInt8],
        as name: String,
        for member: ConsoleMember
    ) async throws -> UserListUpload
    /// Gives a list another name; `false` when there is no such list.
    /// - Throws: ``UserListRejected``.
    func renameList(id: Int64, to name: String, for member: ConsoleMember) async throws -> Bool
    /// Deletes a list; `false` when there is no such list.
    /// - Throws: ``UserListRejected`` while a segment needs it.
    func deleteList(id: Int64, for member: ConsoleMember) async throws -> Bool
}

package struct UserListRow: Sendable, Hashable {
    package var id: Int64
    package var name: String
    package var users: Int
    package var author: String
    package var changedAt: Date
    /// The condition that finds its users.
    package var condition: String

    package init(
        id: Int64,
        name: String,
        users: Int,
        author: String,
        changedAt: Date,
        condition: String
    ) {
        self.id = id
        self.name = name
        self.users = users
        self.author = author
        self.changedAt = changedAt
        self.condition = condition
    }
}

/// What came of an uploaded file.
package struct UserListUpload: Sendable, Hashable {
    package var row: UserListRow
    /// How many ids of the file are of no user.
    package var unknownCount: Int
    /// A few of those.
    package var unknown: [String]

    package init(row: UserListRow, unknownCount: Int, unknown: [String]) {
        self.row = row
        self.unknownCount = unknownCount
        self.unknown = unknown
    }
}

/// Why a list is not changed.
package struct UserListRejected: Error, Sendable, Hashable {
    package enum Field: String, Sendable, Hashable { case name, file, list }

    package var field: Field
    package var text: String

    package init(field: Field, text: String) {
        self.field = field
        self.text = text
    }
}
