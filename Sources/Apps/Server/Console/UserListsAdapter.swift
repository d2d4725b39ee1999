import Audience
import Console
import Foundation
import Model
import Ports
import Segments

/// Answers the console's questions about uploaded lists.
struct UserListsAdapter: UserListPages {
    /// Ids shown of those that are of no user.
    private static let unknownLimit = 5

    let service: UserListService

    init(store: any Store, now: @escaping @Sendable () -> Date) {
        service = UserListService(store: store, now: now)
    }

    func lists(for member: ConsoleMember) async throws -> [UserListRow] {
        try await service.lists(in: WorkspaceID(member.workspaceID)).map(row)
    }

    func upload(
        _ csv: [UInt8],
        as name: String,
        for member: ConsoleMember
    ) async throws -> UserListUpload {
        try await rejecting {
            let upload = try await service.upload(
                csv,
                as: name,
                by: member.actor
            )
            return UserListUpload(
                row: row(upload.list),
                unknownCount: upload.unknown.count,
                unknown: Array(upload.unknown.prefix(Self.unknownLimit))
            )
        }
    }

    func renameList(id: Int64, to name: String, for member: ConsoleMember) async throws -> Bool {
        try await rejecting {
            try await service.rename(UserListID(id), to: name, by: member.actor)
        }
    }

    func deleteList(id: Int64, for member: ConsoleMember) async throws -> Bool {
        try await rejecting {
            try await service.delete(UserListID(id), by: member.actor)
        }
    }

    private func row(_ list: UploadedList) -> UserListRow {
        UserListRow(
            id: list.id.rawValue,
            name: list.name,
            users: list.users,
            author: list.author,
            changedAt: list.updatedAt,
            condition: SegmentWriter.text(.list(list.name))
        )
    }

    private func rejecting<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as UserListService.Refusal {
            let field: UserListRejected.Field =
                switch refusal {
                case .name: .name
                case .file: .file
                case .isUsed: .list
                }
            throw UserListRejected(field: field, text: refusal.description)
        }
    }
}
