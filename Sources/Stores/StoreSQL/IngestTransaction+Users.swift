import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Relational

/// Resolving references to users and changing identities.
extension IngestTransaction {
    /// Finds the user of a reference, including what this transaction has stored so far.
    func find(
        _ reference: UserReference,
        in workspace: WorkspaceID
    ) throws -> ProfileID? {
        if case .external(let id) = reference { return try find(externalID: id, in: workspace) }
        let key = Key(workspace: workspace, reference: reference)
        if let known = identities[key] { return known }
        let found = try ProfileLookup.find(reference, in: workspace, database)
        identities[key] = found
        return found
    }

    private func find(externalID: String, in workspace: WorkspaceID) throws -> ProfileID? {
        if let known = cache.profile(externalID, in: workspace) { return known }
        let key = IdentityCache.Key(workspace: workspace, externalID: externalID)
        if let known = resolved[key] { return known }
        if strangers.contains(key) { return nil }
        let found = try ProfileLookup.find(.external(externalID), in: workspace, database)
        resolved[key] = found
        return found
    }

    /// Finds users by their external ids.
    func resolve(_ keys: [IdentityCache.Key]) throws {
        var unknown: [IdentityCache.Key] = []
        try ProfileLookup.byExternalID(database).forEachFirstRow(
            keys.map { [$0.workspace.rawValue, $0.externalID] }
        ) { position, row in
            if let row {
                resolved[keys[position]] = ProfileID(row[0])
            } else {
                unknown.append(keys[position])
            }
        }
        try ProfileLookup.byFormerExternalID(database).forEachFirstRow(
            unknown.map { [$0.workspace.rawValue, $0.externalID] }
        ) { position, row in
            if let row {
                resolved[unknown[position]] = ProfileID(row[0])
            } else {
                strangers.insert(unknown[position])
            }
        }
    }

    /// Loads the users whom the items change.
    func load(_ requests: [IngestRequest]) throws {
        var wanted: Set<ProfileID> = []
        for request in requests {
            for item in request.items where item.content.changesUser {
                guard case .external(let id) = item.user else { continue }
                let key = IdentityCache.Key(workspace: request.workspace, externalID: id)
                let user = cache.profile(id, in: request.workspace) ?? resolved[key]
                if let user, profiles[user] == nil { wanted.insert(user) }
            }
        }
        try database.cachedStatement(sql: Self.profile)
            .forEachFirstRow(wanted.map { [$0.rawValue] }) { _, row in
                do {
                    guard let profile = try row.map(Profile.init(row:)) else { return }
                    profiles[profile.id] = profile
                } catch let error as StoreError where error.code == .unreadable {
                    // Whoever changes the user learns of it.
                }
            }
    }

    private static let profile = "SELECT * FROM profiles WHERE id = ?"

    func require(
        _ reference: UserReference,
        in workspace: WorkspaceID,
        at time: Date
    ) throws -> ProfileID? {
        if let found = try find(reference, in: workspace) { return found }
        if let known = try recognize(reference, workspace, at: time) { return known }
        var profile = Profile(
            id: ProfileID(0),
            workspace: workspace,
            publicID: UUID(),
            externalID: nil,
            anonymousID: nil,
            createdAt: now
        )
        switch reference {
        case .external(let id): profile.externalID = id
        case .anonymous(let id): profile.anonymousID = id
        case .email(let address): profile.standard[.email] = .string(address)
        case .phone(let number): profile.standard[.phone] = .string(number)
        case .alias: break
        case .profile: return nil
        }
        profile.id = try profile.insert(into: database)
        if case .alias(let name, let label) = reference {
            try database.cachedStatement(
                sql: """
                    INSERT INTO aliases (workspace_id, label, name, profile_id)
                    VALUES (?, ?, ?, ?)
                    """
            ).execute(arguments: [workspace.rawValue, label, name, profile.id.rawValue])
        }
        note(reference, profile.id, workspace)
        profiles[profile.id] = profile
        if reference.isExternal, deviceApp != nil { named.insert(profile.id) }
        return profile.id
    }

    /// Resolves a reference that is not stored yet to the user of the installation, regardless of
    /// the order in which batches arrive: a new external id names the anonymous user of the latest
    /// records, and records of an anonymous user from before the first login belong to the user who
    /// logged in.
    private func recognize(
        _ reference: UserReference,
        _ workspace: WorkspaceID,
        at time: Date
    ) throws -> ProfileID? {
        switch reference {
        case .external(let externalID):
            guard let speaker, let user = try loaded(speaker), user.externalID == nil,
                user.anonymousID != nil
            else { return nil }
            try name(speaker, externalID, workspace)
            return speaker
        case .anonymous(let id):
            guard let user = installation?.nameless(at: time),
                try identify(user, asNameless: id, workspace)
            else { return nil }
            return user
        case .alias, .email, .phone, .profile: return nil
        }
    }

    private func name(
        _ nameless: ProfileID,
        _ externalID: String,
        _ workspace: WorkspaceID
    ) throws {
        try change(nameless) { $0.externalID = externalID }
        // Written immediately, because later lookups of this transaction use the unique index.
        try profiles[nameless]?.update(in: database)
        note(.external(externalID), nameless, workspace)
        named.insert(nameless)
    }

    /// Stores the identifier that the installation used for the user while anonymous. A user has at
    /// most one.
    ///
    /// - Returns: `false` if the user already has one.
    private func identify(
        _ user: ProfileID,
        asNameless id: UUID,
        _ workspace: WorkspaceID
    ) throws -> Bool {
        guard let profile = try loaded(user), profile.anonymousID == nil else { return false }
        try change(user) { $0.anonymousID = id }
        try profiles[user]?.update(in: database)
        note(.anonymous(id), user, workspace)
        return true
    }

    /// Restores the user of an export who does not exist here.
    ///
    /// - Returns: The parts that could not be restored.
    func restore(
        _ item: IngestItem,
        in workspace: WorkspaceID
    ) throws -> [FieldProblem] {
        guard let restored = item.restored, try find(item.user, in: workspace) == nil,
            try find(.profile(restored.publicID), in: workspace) == nil
        else { return [] }
        var externalID: String?
        if case .external(let name) = item.user { externalID = name }
        let restorer = UserRestorer(restored: restored, workspace: workspace, database: database)
        let profile = try restorer.insert(externalID: externalID)
        note(item.user, profile.id, workspace)
        note(.profile(restored.publicID), profile.id, workspace)
        profiles[profile.id] = profile
        return try restorer.insertDevices(of: profile.id, &apps)
    }

    private func note(_ reference: UserReference, _ id: ProfileID, _ workspace: WorkspaceID) {
        if case .external(let name) = reference {
            resolved[IdentityCache.Key(workspace: workspace, externalID: name)] = id
        } else {
            identities[Key(workspace: workspace, reference: reference)] = id
        }
    }

    func change(_ id: ProfileID, _ body: (inout Profile) -> Void) throws {
        if try changeLoaded(id, body) { changed.insert(id) }
    }

    /// Changes nothing but what a profile says of its sessions.
    func countSession(of id: ProfileID, _ body: (inout Profile) -> Void) throws {
        if try changeLoaded(id, body) { visited.insert(id) }
    }

    private func changeLoaded(_ id: ProfileID, _ body: (inout Profile) -> Void) throws -> Bool {
        guard var profile = try loaded(id) else { return false }
        body(&profile)
        profile.updatedAt = now
        profiles[id] = profile
        return true
    }

    func loaded(_ id: ProfileID) throws -> Profile? {
        if let profile = profiles[id] { return profile }
        return try Row.fetchOne(
            try database.cachedStatement(sql: Self.profile),
            arguments: [id.rawValue]
        ).map(Profile.init(row:))
    }

    /// Gives the anonymous user the external id if it is new; otherwise both users remain.
    func changeUser(
        from previous: UserReference,
        to user: UserReference,
        _ workspace: WorkspaceID,
        at time: Date
    ) throws -> ProfileID? {
        guard case .anonymous(let id) = previous, case .external(let externalID) = user else {
            return try require(user, in: workspace, at: time)
        }
        let nameless = try find(previous, in: workspace)
        if let known = try find(user, in: workspace) {
            // The records of the login may have arrived before this one and created the user.
            if nameless == nil, installation?.nameless(at: time) == known || named.contains(known) {
                _ = try identify(known, asNameless: id, workspace)
            }
            return known
        }
        guard let nameless, try loaded(nameless)?.externalID == nil else {
            speaker = nameless
            let made = try require(user, in: workspace, at: time)
            // Records from before the login may still arrive.
            if nameless == nil, let made { _ = try identify(made, asNameless: id, workspace) }
            return made
        }
        try name(nameless, externalID, workspace)
        return nameless
    }

    /// Gives a user an alias, replacing the one with the same label.
    ///
    /// - Returns: The reason if the alias was not added; otherwise `nil`.
    func addAlias(
        _ name: String,
        _ label: String,
        to profile: ProfileID,
        _ workspace: WorkspaceID
    ) throws -> Reason? {
        let owner = try find(.alias(name: name, label: label), in: workspace)
        guard owner != profile else { return nil }
        guard owner == nil else {
            return Reason(
                UserDataReason.aliasTaken,
                ["name": .text(name), "label": .text(label)]
            )
        }
        try database.cachedStatement(
            sql: "DELETE FROM aliases WHERE profile_id = ? AND label = ?"
        ).execute(arguments: [profile.rawValue, label])
        try database.cachedStatement(
            sql: """
                INSERT INTO aliases (workspace_id, label, name, profile_id) VALUES (?, ?, ?, ?)
                ON CONFLICT (workspace_id, label, name)
                    DO UPDATE SET profile_id = excluded.profile_id
                """
        ).execute(arguments: [workspace.rawValue, label, name, profile.rawValue])
        note(.alias(name: name, label: label), profile, workspace)
        return nil
    }
}

extension IngestItem.Content {
    /// Whether it changes what a profile holds.
    fileprivate var changesUser: Bool {
        switch self {
        case .attributes, .sessionStarted: true
        default: false
        }
    }
}

extension UserReference {
    var isExternal: Bool {
        if case .external = self { true } else { false }
    }
}
