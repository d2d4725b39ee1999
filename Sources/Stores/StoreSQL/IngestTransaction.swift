import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// One transaction of ingestion. Profiles are read once, changed in memory and written once.
///
/// It is a class because its caches grow while requests are applied; it never leaves the closure of
/// its transaction.
final class IngestTransaction {
    let database: Database
    let now: Date
    private let events: EventWriter
    private let records: RecordDeduplicator
    private let stored: StoredRecords
    let cache: IdentityCache
    /// External ids that were looked up or created; they go to the cache after the commit.
    var resolved: [IdentityCache.Key: ProfileID] = [:]
    /// External ids that nobody had when they were looked up.
    var strangers: Set<IdentityCache.Key> = []
    var identities: [Key: ProfileID] = [:]
    var profiles: [ProfileID: Profile] = [:]
    var changed: Set<ProfileID> = []
    /// Users of whom sessions were counted, and perhaps nothing else has changed.
    var visited: Set<ProfileID> = []
    private var blocked = BlockedNames()
    private var groups = KnownSubscriptionGroups()
    var apps = NamedApps()
    /// The app of the device whose request is being applied.
    var deviceApp: AppID?
    /// The installation whose request is being applied, if one of its users is new.
    var installation: Installation?
    /// The user of the installation's latest records.
    var speaker: ProfileID?
    /// The users that the installation's request has created or named.
    var named: Set<ProfileID> = []

    struct Key: Hashable {
        var workspace: WorkspaceID
        var reference: UserReference
    }

    init(_ database: Database, cache: IdentityCache, now: Date) throws {
        try cache.forgetWhatOthersChanged(database)
        self.database = database
        self.cache = cache
        self.now = now
        events = try EventWriter(database)
        records = try RecordDeduplicator(database, now: now)
        stored = StoredRecords(database, now: now)
    }

    /// Reads and stores at once what the requests need one by one, where each would be a trip to the server.
    func prepare(_ requests: [IngestRequest]) throws {
        guard database.kind == .postgres else { return }
        var users: Set<IdentityCache.Key> = []
        for (workspace, requests) in Dictionary(grouping: requests, by: \.workspace) {
            let items = requests.lazy.flatMap(\.items)
            let ids = items.filter {
                $0.recordID != nil && IndexedNames.problem($0) == nil
            }
            try records.insertAhead(ids.compactMap(\.recordID), workspace)
            for case .external(let id) in items.map(\.user)
            where cache.profile(id, in: workspace) == nil {
                users.insert(IdentityCache.Key(workspace: workspace, externalID: id))
            }
        }
        try resolve(Array(users))
        try load(requests)
    }

    /// Stores one item of a server's request.
    func apply(_ item: IngestItem, in workspace: WorkspaceID) throws -> IngestOutcome {
        try apply(item, workspace, nil)
    }

    func apply(_ request: IngestRequest) throws -> [IngestOutcome] {
        let workspace = request.workspace
        guard case .device(let description, let app) = request.source,
            let first = request.items.first, let last = request.items.last
        else {
            let outcomes = try request.items.map { try apply($0, workspace, nil) }
            if outcomes.contains(where: { if case .stored = $0 { true } else { false } }) {
                try SQLStore.addAudit(request.audit, in: workspace, database)
            }
            return outcomes
        }
        deviceApp = app
        try meet(request, description.id, app)
        defer {
            deviceApp = nil
            installation = nil
            speaker = nil
            named = []
        }
        // Do not create the last user before the records that lead to it: the activity of an
        // anonymous user moves to a named one only if that user did not exist.
        let known = try find(last.user, in: workspace)
        let isProved = request.provedUser == last.user
        var opening = first.user
        if case .userChanged(let previous) = first.content,
            try find(previous, in: workspace) != nil
        {
            opening = previous
        }
        let device = try DeviceWriter(
            description,
            app: app,
            workspace: workspace,
            profile: try known ?? require(opening, in: workspace, at: first.time),
            isProved: isProved && known != nil,
            now: now,
            database
        )
        let outcomes = try request.items.map { try apply($0, workspace, device) }
        if let owner = try require(last.user, in: workspace, at: last.time) {
            try device.belong(to: try isLate(last, owner) ?? owner, isProved: isProved)
        }
        if !device.hadName, let item = request.items.first(where: { $0.user.isExternal }),
            let user = try find(item.user, in: workspace)
        {
            try device.name(named.contains(user) ? user : nil, at: item.time)
        }
        return outcomes
    }

    /// Loads the installation before its request changes it, if that may matter: a user is new, or
    /// records of an anonymous user arrive who has an external id by now.
    private func meet(_ request: IngestRequest, _ id: UUID, _ app: AppID) throws {
        let isStrange = try request.items.contains { item in
            guard let user = try find(item.user, in: request.workspace) else { return true }
            if case .userChanged(let previous) = item.content {
                return try find(previous, in: request.workspace) == nil
            }
            if item.user.isExternal { return false }
            return try loaded(user)?.externalID != nil
        }
        guard isStrange else { return }
        let found = try Installation(id, app: app, database)
        installation = found
        speaker = found.owner
    }

    /// The user who keeps the device if the last record arrives late: it belongs to an anonymous
    /// user who has an external id by now.
    private func isLate(_ item: IngestItem, _ user: ProfileID) throws -> ProfileID? {
        guard case .anonymous = item.user, try loaded(user)?.externalID != nil else { return nil }
        return installation?.owner
    }

    /// Writes the changes made in memory.
    func flush() throws {
        for id in changed {
            try profiles[id]?.update(in: database)
        }
        for id in visited where !changed.contains(id) {
            try profiles[id]?.updateSessions(in: database)
        }
    }

    private func apply(
        _ item: IngestItem,
        _ workspace: WorkspaceID,
        _ device: DeviceWriter?
    ) throws -> IngestOutcome {
        if let problem = IndexedNames.problem(item) { return .rejected(problem) }
        if let id = item.recordID, try !records.insert(id, workspace) {
            return .duplicate
        }
        let outcome = try applyNew(item, workspace, device)
        // An item that was not stored may be sent again.
        if case .rejected = outcome, let id = item.recordID { try records.forget(id, workspace) }
        return outcome
    }

    private func applyNew(
        _ item: IngestItem,
        _ workspace: WorkspaceID,
        _ device: DeviceWriter?
    ) throws -> IngestOutcome {
        if case .userChanged(let previous) = item.content {
            speaker = try changeUser(from: previous, to: item.user, workspace, at: item.time)
            return .stored(except: [])
        }
        let tokens = PushTokenWriter(workspace, now: now, database)
        if item.isTokenImport, try tokens.containsAny(of: item.pushTokens) {
            return .stored(except: [])
        }
        let restoring = try restore(item, in: workspace)
        let found =
            item.updatesExistingOnly
            ? try find(item.user, in: workspace)
            : try require(item.user, in: workspace, at: item.time)
        if device != nil { speaker = found }
        guard let profile = found else {
            return .rejected(FieldProblem("user", .noSuchUser))
        }
        if let device, item.recordID != nil,
            try stored.mayHaveForgotten(item.time, in: workspace),
            try stored.contains(item, of: profile, on: device.id, in: workspace)
        {
            return .duplicate
        }
        let outcome = try store(item, of: profile, workspace, device)
        guard case .stored(var problems) = outcome else { return outcome }
        problems += item.leftOut + restoring
        if let name = item.app, try apps.app(name, in: workspace, database) == nil {
            problems.append(
                FieldProblem("app_id", .noApp)
            )
        }
        if let alias = item.alias {
            problems +=
                try addAlias(alias.name, alias.label, to: profile, workspace).map {
                    [FieldProblem(.request("user_alias"), $0)]
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
                return .rejected(FieldProblem(.request("name"), blockedName.refusal))
            }
            if name == NewsReads.eventName {
                let read = properties.object
                try NewsReads.store(read, by: profile, in: workspace, at: item.time, database)
            }
        case .attributes(var changes):
            var problems = try blocked.remove(from: &changes, in: workspace, database)
            problems += try groups.removeUnknown(from: &changes, in: workspace, database)
            let isWhole = changes.basis != nil
            if isWhole, let problem = problems.first { return .rejected(problem) }
            try change(profile) { problems += $0.apply(changes, at: item.time) }
            if isWhole, let problem = problems.first { return .rejected(problem) }
            return .stored(except: problems)
        case .storedEvent(let name, _):
            if name == "$session_start" {
                try countSession(of: profile) { $0.noteStoredSession(at: item.time) }
            }
        case .alias(let name, let label):
            if let refusal = try addAlias(name, label, to: profile, workspace) {
                return .rejected(FieldProblem(.request("alias"), refusal))
            }
        case .sessionStarted:
            try InfluencedOpens(of: profile, database).addSession(at: item.time.milliseconds)
            try countSession(of: profile) {
                $0.sessionCount += 1
                $0.firstSessionAt = min($0.firstSessionAt ?? item.time, item.time)
                $0.lastSessionAt = max($0.lastSessionAt ?? item.time, item.time)
            }
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
        case .userChanged, .purchase, .sessionEnded:
            break
        }
        if let event = item.content.event {
            try events.insert(event.name, event.properties, item.time, profile, workspace, app: app)
        }
        return .stored(except: [])
    }
}

extension IngestOutcome {
    static let needsDevice = IngestOutcome.rejected(FieldProblem("type", .needsDevice))
}
