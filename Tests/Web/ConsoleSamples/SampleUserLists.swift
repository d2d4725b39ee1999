import Console
import Foundation
import Model

/// Uploaded lists kept in memory; ids that begin with `u` are those of users.
package actor SampleUserLists: UserListPages {
    private var rows: [UserListRow] = []
    private let now: Date

    package init(size: SampleSize, now: Date) {
        self.now = now
        guard size != .empty else { return }
        rows = [
            UserListRow(
                id: 1,
                name: "夏祭り 2025",
                users: size.users / 5,
                author: "Hanae Mori",
                changedAt: now.addingTimeInterval(-9 * 86_400),
                condition: "in list \"夏祭り 2025\""
            )
        ]
    }

    package func lists(for member: ConsoleMember) async throws -> [UserListRow] { rows }

    package func upload(
        _ csv: [UInt8],
        as name: String,
        for member: ConsoleMember
    ) async throws -> UserListUpload {
        let ids = String(decoding: csv, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard !ids.isEmpty else {
            throw UserListRejected(field: .file, text: "the file has no ids in its first column")
        }
        let unknown = ids.filter { !$0.hasPrefix("u") }.map(String.init)
        let row = UserListRow(
            id: (rows.map(\.id).max() ?? 0) + 1,
            name: name,
            users: ids.count - unknown.count,
            author: member.name,
            changedAt: now,
            condition: "in list \"\(name)\""
        )
        rows.removeAll { $0.name == name }
        rows.append(row)
        return UserListUpload(row: row, unknownCount: unknown.count, unknown: unknown)
    }

    package func renameList(
        id: Int64,
        to name: String,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard let index = rows.firstIndex(where: { $0.id == id }) else { return false }
        guard !rows.contains(where: { $0.name == name && $0.id != id }) else {
            throw UserListRejected(field: .name, text: "there is a list called '\(name)' already")
        }
        rows[index].name = name
        return true
    }

    package func deleteList(id: Int64, for member: ConsoleMember) async throws -> Bool {
        let before = rows.count
        rows.removeAll { $0.id == id }
        return rows.count < before
    }
}
