import Foundation
import Model
import Ports
import Reasons
import Segments

/// Creates, renames and deletes uploaded lists of users.
///
/// Each change requires the role of marketer, and is one transaction with its audit record.
package struct UserListService: Sendable {
    /// Maximum length of a name, in characters.
    package static let nameLimit = 250

    private let store: any SegmentStore
    private let now: @Sendable () -> Date

    package init(store: any SegmentStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// The result of an upload.
    package struct Upload: Sendable {
        package var list: UploadedList
        /// Ids of the file without a user, in its order.
        package var unknown: [String]
    }

    /// By name.
    package func lists(in workspace: WorkspaceID) async throws -> [UploadedList] {
        try await store.userLists(in: workspace)
    }

    /// Creates a list of the users whose external ids are in the first column of a CSV file, or
    /// replaces the users of the list with that name.
    ///
    /// - Throws: `ValidationError`.
    package func upload(
        _ csv: [UInt8],
        as name: String,
        by actor: Actor
    ) async throws -> Upload {
        try actor.require(.marketer)
        let name = try checked(name)
        guard let text = String(validating: csv, as: UTF8.self) else {
            throw ValidationError(.userList(.file), .noText)
        }
        let ids = UserListParser.read(text)
        guard !ids.isEmpty else {
            throw ValidationError(.userList(.file), .noIDs)
        }
        let found = try await store.profiles(externalIDs: ids, in: actor.workspace)
        let list = try await store.saveUserList(
            named: name,
            profiles: ids.compactMap { found[$0] },
            author: actor.name,
            in: actor.workspace,
            noting: record("list_saved", name, actor),
            now: now()
        )
        return Upload(list: list, unknown: ids.filter { found[$0] == nil })
    }

    /// Whether there was such a list.
    ///
    /// - Throws: `ValidationError`.
    package func rename(
        _ id: UserListID,
        to name: String,
        by actor: Actor
    ) async throws -> Bool {
        try actor.require(.marketer)
        let name = try checked(name)
        do {
            return try await store.renameUserList(
                id,
                to: name,
                in: actor.workspace,
                noting: record("list_saved", name, actor)
            )
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError(.userList(.name), .listTaken, ["name": .text(name)])
        }
    }

    /// - Returns: `false` if the list did not exist.
    /// - Throws: `RefusalError` while a segment refers to it.
    package func delete(_ id: UserListID, by actor: Actor) async throws -> Bool {
        try actor.require(.marketer)
        guard let list = try await lists(in: actor.workspace).first(where: { $0.id == id }) else {
            return false
        }
        for segment in try await store.segments(in: actor.workspace) {
            let rule = try SegmentJSON.decode(Data(segment.content.definition.utf8))
            if rule.refers(toList: String(id.rawValue)) {
                throw RefusalError(.listUsed, ["name": .text(segment.content.name)])
            }
        }
        return try await store.deleteUserList(
            id,
            in: actor.workspace,
            noting: record("list_deleted", list.name, actor)
        )
    }

    private func record(_ action: String, _ name: String, _ actor: Actor) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: name)
    }

    private func checked(_ name: String) throws -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.count <= Self.nameLimit else {
            throw ValidationError(.userList(.name), .listName, ["count": "\(Self.nameLimit)"])
        }
        return name
    }
}

extension SegmentRule {
    fileprivate func refers(toList list: String) -> Bool {
        switch self {
        case .all(let rules), .any(let rules): rules.contains { $0.refers(toList: list) }
        case .not(let inner): inner.refers(toList: list)
        case .condition(.list(let id)): id == list
        case .condition: false
        }
    }
}
