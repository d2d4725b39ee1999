import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Relational

/// Changes the identities of users within one transaction.
struct IdentityTransaction {
    private let database: Database
    private let workspace: WorkspaceID
    private let now: Date
    private var activity: ActivityRows

    /// - Parameter activity: May have been read before the transaction, as long as it is still
    ///   current.
    init(
        _ database: Database,
        in workspace: WorkspaceID,
        activity: ActivityRows,
        now: Date
    ) {
        self.database = database
        self.workspace = workspace
        self.activity = activity
        self.now = now
    }

    mutating func apply(_ change: IdentityChange) throws -> IdentityOutcome {
        switch change {
        case .addAlias(let name, let label, let externalID):
            try addAlias(name, label, externalID)
        case .renameAlias(let label, let old, let new):
            try renameAlias(label, old, new)
        case .identify(let reference, let externalID):
            try identify(reference, as: externalID)
        case .merge(let source, let target):
            try merge(source, into: target)
        case .renameExternalID(let old, let new):
            try renameExternalID(old, new)
        case .removeExternalID(let id):
            try removeExternalID(id)
        }
    }

    /// Deletes a user.
    ///
    /// - Returns: `false` if the user did not exist.
    func delete(_ profile: ProfileID) throws -> Bool {
        guard let user = try load(profile), user.workspace == workspace else { return false }
        let columns = ProfileColumns(database, in: workspace)
        try columns.delete(of: profile, activity, now: now)
        try remove(profile)
        try FactLog(database).deleted(user, at: now.milliseconds)
        return true
    }

    // MARK: Aliases

    private func addAlias(
        _ name: String,
        _ label: String,
        _ externalID: String?
    ) throws -> IdentityOutcome {
        let owner = try find(.alias(name: name, label: label))
        guard let externalID else {
            guard owner == nil else {
                return .refused(.aliasTaken, ["name": .text(name), "label": .text(label)])
            }
            var profile = Profile(
                id: ProfileID(0),
                workspace: workspace,
                publicID: UUID(),
                externalID: nil,
                anonymousID: nil,
                createdAt: now
            )
            profile.id = try profile.insert(into: database)
            try insertAlias(name, label, of: profile.id)
            return .done
        }
        guard let user = try find(.external(externalID)) else {
            return .refused(.noExternalID, ["id": .text(externalID)])
        }
        guard owner == nil || owner == user else {
            return .refused(.aliasTaken, ["name": .text(name), "label": .text(label)])
        }
        try insertAlias(name, label, of: user)
        return .done
    }

    private func insertAlias(_ name: String, _ label: String, of profile: ProfileID) throws {
        // Replaces the alias that the user had in this list: one alias per label.
        try database.execute(
            sql: "DELETE FROM aliases WHERE profile_id = ? AND label = ?",
            arguments: [profile.rawValue, label]
        )
        try database.execute(
            sql: """
                INSERT INTO aliases (workspace_id, label, name, profile_id) VALUES (?, ?, ?, ?)
                ON CONFLICT (workspace_id, label, name)
                    DO UPDATE SET profile_id = excluded.profile_id
                """,
            arguments: [workspace.rawValue, label, name, profile.rawValue]
        )
    }

    private func renameAlias(
        _ label: String,
        _ old: String,
        _ new: String
    ) throws -> IdentityOutcome {
        guard let owner = try find(.alias(name: old, label: label)) else {
            return .refused(.noAlias, ["name": .text(old), "label": .text(label)])
        }
        let other = try find(.alias(name: new, label: label))
        guard other == nil || other == owner else {
            return .refused(.aliasTaken, ["name": .text(new), "label": .text(label)])
        }
        try insertAlias(new, label, of: owner)
        return .done
    }

    private func labels(of profile: ProfileID) throws -> Set<String> {
        Set(
            try String.fetchAll(
                database,
                sql: "SELECT label FROM aliases WHERE profile_id = ?",
                arguments: [profile.rawValue]
            )
        )
    }

    // MARK: Users

    private mutating func identify(
        _ reference: UserReference,
        as externalID: String
    ) throws -> IdentityOutcome {
        guard let source = try find(reference), var profile = try load(source) else {
            return .refused(.noUser)
        }
        guard profile.externalID == nil else {
            return .refused(.identified, ["id": .text(profile.externalID ?? "")])
        }
        guard let target = try find(.external(externalID)) else {
            profile.externalID = externalID
            profile.updatedAt = now
            try profile.update(in: database)
            return .done
        }
        let shared = try labels(of: source).intersection(try labels(of: target))
        if let label = shared.sorted().first {
            return .refused(.hasAlias, ["id": .text(externalID), "label": .text(label)])
        }
        return try move(profile, into: target)
    }

    private mutating func merge(
        _ reference: UserReference,
        into other: UserReference
    ) throws -> IdentityOutcome {
        guard let source = try find(reference), let profile = try load(source) else {
            return .refused(.mergeUnknown)
        }
        guard let target = try find(other) else {
            return .refused(.keepUnknown)
        }
        guard source != target else { return .refused(.sameUser) }
        return try move(profile, into: target)
    }

    private mutating func move(
        _ source: Profile,
        into target: ProfileID
    ) throws -> IdentityOutcome {
        guard var kept = try load(target) else { return .refused(.noUser) }
        let columns = ProfileColumns(database, in: workspace)
        try columns.move(from: source.id, to: target, &activity)
        try remove(source.id)
        try FactLog(database).merged(source, into: kept, at: now.milliseconds)
        if let id = source.anonymousID, kept.anonymousID != nil {
            // The installation may not know of the change yet and keep using that identifier.
            try database.execute(
                sql: "INSERT INTO former_anonymous_ids VALUES (?, ?, ?)",
                arguments: [workspace.rawValue, id, target.rawValue]
            )
        }
        kept.absorb(source)
        kept.updatedAt = now
        try kept.update(in: database)
        return .done
    }

    private func remove(_ profile: ProfileID) throws {
        try RowIDAllocator.retire(profile.rawValue, of: "profiles", database)
        try database.execute(
            sql: "DELETE FROM profiles WHERE id = ?",
            arguments: [profile.rawValue]
        )
    }

    // MARK: External ids

    private func renameExternalID(_ old: String, _ new: String) throws -> IdentityOutcome {
        guard let user = try find(.external(old)), var profile = try load(user),
            profile.externalID == old
        else { return .refused(.noExternalID, ["id": .text(old)]) }
        let owner = try find(.external(new))
        guard owner == nil || owner == user, old != new else {
            return .refused(.externalIDTaken, ["id": .text(new)])
        }
        try forget(new)
        profile.externalID = new
        profile.updatedAt = now
        try profile.update(in: database)
        try database.execute(
            sql: "INSERT INTO former_external_ids VALUES (?, ?, ?)",
            arguments: [workspace.rawValue, old, user.rawValue]
        )
        return .done
    }

    private func removeExternalID(_ id: String) throws -> IdentityOutcome {
        guard try ProfileLookup.formerOwner(of: id, in: workspace, database) != nil else {
            return .refused(.neverRenamed, ["id": .text(id)])
        }
        try forget(id)
        return .done
    }

    private func forget(_ externalID: String) throws {
        try database.execute(
            sql: "DELETE FROM former_external_ids WHERE workspace_id = ? AND external_id = ?",
            arguments: [workspace.rawValue, externalID]
        )
    }

    // MARK: Rows

    private func find(_ reference: UserReference) throws -> ProfileID? {
        try ProfileLookup.find(reference, in: workspace, database)
    }

    private func load(_ id: ProfileID) throws -> Profile? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM profiles WHERE id = ?",
            arguments: [id.rawValue]
        ).map(Profile.init(row:))
    }
}
