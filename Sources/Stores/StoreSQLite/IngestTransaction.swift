import Foundation
import GRDB
import Model
import NoroshiWire
import Ports

/// One commit of ingestion. Profiles are read once, changed in memory and written once.
///
/// A class because its caches grow while requests are applied; it never leaves the closure of its
/// transaction.
final class IngestTransaction {
    private let database: Database
    private let now: Date
    private let events: EventWriter
    private let records: RecordWriter
    private let cache: IdentityCache
    /// External ids that were looked up or made; for the cache, when this is committed.
    private(set) var resolved: [IdentityCache.Key: ProfileID] = [:]
    private var identities: [Key: ProfileID] = [:]
    private var profiles: [ProfileID: Profile] = [:]
    private var changed: Set<ProfileID> = []
    private var blocked = BlockedNames()
    private var groups = KnownSubscriptionGroups()
    private var apps = NamedApps()
    /// The app of the device whose request is applied.
    private var deviceApp: AppID?

    private struct Key: Hashable {
        var workspace: WorkspaceID
        var reference: UserReference
    }

    init(_ database: Database, cache: IdentityCache, now: Date) throws {
        self.database = database
        self.cache = cache
        self.now = now
        events = try EventWriter(database)
        records = try RecordWriter(database, now: now)
    }

    /// Stores one item of a server's request.
    func apply(_ item: IngestItem, in workspace: WorkspaceID) throws -> IngestOutcome {
        try apply(item, workspace, nil)
    }

    func apply(_ request: IngestRequest) throws -> [IngestOutcome] {
        let workspace = request.workspace
        guard case .device(let description, let app) = request.source,
            let first = request.items.first, let last = request.items.last
        else { return try request.items.map { try apply($0, workspace, nil) } }
        deviceApp = app
        defer { deviceApp = nil }
        // The last user is not made before the records that lead to it: what a nameless user did
        // moves to a named one only if that one did not exist.
        let known = try find(last.user, in: workspace)
        let isProved = request.provedUser == last.user
        let device = try DeviceWriter(
            description,
            app: app,
            workspace: workspace,
            profile: try known ?? require(first.user, in: workspace),
            isProved: isProved && known != nil,
            now: now,
            database
        )
        let outcomes = try request.items.map { try apply($0, workspace, device) }
        if let owner = try require(last.user, in: workspace) {
            try device.belong(to: owner, isProved: isProved)
        }
        return outcomes
    }

    /// Writes what was changed in memory.
    func flush() throws {
        for id in changed {
            try profiles[id]?.update(in: database)
        }
    }

    private func apply(
        _ item: IngestItem,
        _ workspace: WorkspaceID,
        _ device: DeviceWriter?
    ) throws -> IngestOutcome {
        if let id = item.recordID, try !records.insert(id, workspace, database) {
            return .duplicate
        }
        let outcome = try applyNew(item, workspace, device)
        // What was not stored may come again.
        if case .rejected = outcome, let id = item.recordID { try forget(id, workspace) }
        return outcome
    }

    private func applyNew(
        _ item: IngestItem,
        _ workspace: WorkspaceID,
        _ device: DeviceWriter?
    ) throws -> IngestOutcome {
        if case .userChanged(let previous) = item.content {
            try changeUser(from: previous, to: item.user, workspace)
            return .stored(except: [])
        }
        let tokens = PushTokenWriter(workspace, now: now, database)
        if item.isTokenImport, try tokens.knowsAny(of: item.pushTokens) {
            return .stored(except: [])
        }
        let found =
            item.updatesExistingOnly
            ? try find(item.user, in: workspace) : try require(item.user, in: workspace)
        guard let profile = found else {
            return .rejected(
                field: "user",
                message: "no such user, and _update_existing_only is true"
            )
        }
        let outcome = try store(item, of: profile, workspace, device)
        guard case .stored(var problems) = outcome else { return outcome }
        problems += item.leftOut
        if let name = item.app, try apps.app(name, in: workspace, database) == nil {
            problems.append(
                AttributeProblem(
                    attribute: "app_id",
                    message: "names no app; send the SDK key or the bundle identifier of one"
                )
            )
        }
        if let alias = item.alias {
            problems +=
                try addAlias(alias.name, alias.label, to: profile, workspace).map {
                    [AttributeProblem(attribute: "user_alias", message: $0)]
                } ?? []
        }
        problems += try tokens.store(item.pushTokens, for: profile)
        return .stored(except: problems)
    }

    private func store(
        _ item: IngestItem,
        of profile: ProfileID,
        _ workspace: WorkspaceID,
        _ device: DeviceWriter?
    ) throws -> IngestOutcome {
        let app = try item.app.map { try apps.app($0, in: workspace, database) } ?? deviceApp
        switch item.content {
        case .event(let name, let properties):
            let blockedName = BlockedName(.event, name)
            guard try !blocked.contains(blockedName, in: workspace, database) else {
                return .rejected(field: "name", message: blockedName.refusal)
            }
            try events.insert(name, properties, item.time, profile, workspace, app: app)
            if name == NewsReads.eventName {
                let read = properties.object
                try NewsReads.store(read, by: profile, in: workspace, at: item.time, database)
            }
        case .purchase(let product, let currency, let price, let quantity, let properties):
            let purchase = properties.adding([
                "product_id": .string(product), "currency": .string(currency),
                "price": .number(price), "quantity": .integer(Int64(quantity)),
            ])
            try events.insert("$purchase", purchase, item.time, profile, workspace, app: app)
        case .attributes(var changes):
            var problems = try blocked.remove(from: &changes, in: workspace, database)
            problems += try groups.removeUnknown(from: &changes, in: workspace, database)
            try change(profile) { problems += $0.apply(changes, at: item.time) }
            return .stored(except: problems)
        case .alias(let name, let label):
            if let refusal = try addAlias(name, label, to: profile, workspace) {
                return .rejected(field: "alias", message: refusal)
            }
        case .sessionStarted:
            if let device, let user = try loaded(profile) {
                try InteractionWriter(database).markInfluenced(
                    device: device.id,
                    sessionAt: item.time,
                    window: InfluencedOpenRule.window(for: user)
                )
            }
            try change(profile) {
                $0.sessionCount += 1
                $0.firstSessionAt = min($0.firstSessionAt ?? item.time, item.time)
                $0.lastSessionAt = max($0.lastSessionAt ?? item.time, item.time)
            }
            try events.insert("$session_start", [:], item.time, profile, workspace, app: app)
        case .sessionEnded(let duration):
            try events.insert(
                "$session_end",
                ["duration_seconds": .number(duration)],
                item.time,
                profile,
                workspace,
                app: app
            )
        case .pushRegistered(let registration):
            guard let device else { return .needsDevice }
            try device.register(registration, for: profile)
        case .pushCleared:
            guard let device else { return .needsDevice }
            try device.clearToken()
        case .pushInteraction(let interaction):
            guard let device else { return .needsDevice }
            return try InteractionWriter(database).store(
                interaction,
                device: device.id,
                profile: profile,
                workspace: workspace,
                time: item.time
            )
        case .inAppMessage(let interaction):
            try InteractionWriter(database).store(
                interaction,
                profile: profile,
                workspace: workspace,
                time: item.time
            )
        case .userChanged:
            break
        }
        return .stored(except: [])
    }

    private func forget(_ id: UUID, _ workspace: WorkspaceID) throws {
        try database.cachedStatement(
            sql: "DELETE FROM seen_records WHERE workspace_id = ? AND record_id = ?"
        ).execute(arguments: [workspace.rawValue, id])
    }

    // MARK: Users

    /// Who a request means; what it has stored until now counts.
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
        let found = try ProfileLookup.find(.external(externalID), in: workspace, database)
        resolved[key] = found
        return found
    }

    private func require(
        _ reference: UserReference,
        in workspace: WorkspaceID
    ) throws -> ProfileID? {
        if let found = try find(reference, in: workspace) { return found }
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
            try database.execute(
                sql: """
                    INSERT INTO aliases (workspace_id, label, name, profile_id)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [workspace.rawValue, label, name, profile.id.rawValue]
            )
        }
        note(reference, profile.id, workspace)
        profiles[profile.id] = profile
        return profile.id
    }

    private func note(_ reference: UserReference, _ id: ProfileID, _ workspace: WorkspaceID) {
        if case .external(let name) = reference {
            resolved[IdentityCache.Key(workspace: workspace, externalID: name)] = id
        } else {
            identities[Key(workspace: workspace, reference: reference)] = id
        }
    }

    private func change(_ id: ProfileID, _ body: (inout Profile) -> Void) throws {
        guard var profile = try loaded(id) else { return }
        body(&profile)
        profile.updatedAt = now
        profiles[id] = profile
        changed.insert(id)
    }

    private func loaded(_ id: ProfileID) throws -> Profile? {
        if let profile = profiles[id] { return profile }
        return try Row.fetchOne(
            try database.cachedStatement(sql: "SELECT * FROM profiles WHERE id = ?"),
            arguments: [id.rawValue]
        ).map(Profile.init(row:))
    }

    /// A nameless user becomes the named one where the name is new; otherwise both stay.
    private func changeUser(
        from previous: UserReference,
        to user: UserReference,
        _ workspace: WorkspaceID
    ) throws {
        guard case .anonymous = previous, case .external(let externalID) = user,
            try find(user, in: workspace) == nil,
            let nameless = try find(previous, in: workspace),
            try loaded(nameless)?.externalID == nil
        else {
            _ = try require(user, in: workspace)
            return
        }
        try change(nameless) { $0.externalID = externalID }
        // Written at once: the unique index is what later look-ups of this transaction ask.
        try profiles[nameless]?.update(in: database)
        note(user, nameless, workspace)
    }

    /// Gives a user another name in place of the one with the same label; why not, where not.
    private func addAlias(
        _ name: String,
        _ label: String,
        to profile: ProfileID,
        _ workspace: WorkspaceID
    ) throws -> String? {
        let owner = try find(.alias(name: name, label: label), in: workspace)
        guard owner != profile else { return nil }
        guard owner == nil else { return "'\(name)' in '\(label)' belongs to another user" }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO aliases (workspace_id, label, name, profile_id)
                VALUES (?, ?, ?, ?)
                """,
            arguments: [workspace.rawValue, label, name, profile.rawValue]
        )
        note(.alias(name: name, label: label), profile, workspace)
        return nil
    }
}

extension IngestOutcome {
    static let needsDevice = IngestOutcome.rejected(
        field: "type",
        message: "only an SDK can send this record, as part of a device's batch"
    )
}
