import Model
import Ports
import Relational
import Segments

/// Reads the changes after a position, within one read transaction.
///
/// Notes about profiles come before occurrences: an occurrence is delivered only after all notes of
/// the same snapshot, so that its user is already loaded.
struct AudienceDeltaReader {
    private static let maxNotes = 5_000
    private static let maxEvents = 50_000

    private enum Kind: Int64 {
        case written, deleted, merged, list, kept, keptInteractions
    }

    private let database: Database
    private let unreadable: UnreadableRows
    private let start: ChangeCursor
    private let detailed: [WorkspaceID: Set<Activity>]
    private var position: ChangeCursor
    private var changes: [WorkspaceID: AudienceChange] = [:]

    static func delta(
        after position: ChangeCursor,
        detailing detailed: [WorkspaceID: Set<Activity>],
        _ database: Database,
        _ unreadable: UnreadableRows
    ) throws -> AudienceDelta? {
        let end = try ChangeCursor(end: database)
        // The beginning is of every history.
        guard position.timeline == 0 || position.timeline == end.timeline else {
            throw LostChangesError()
        }
        guard end != position else { return nil }
        var reader = AudienceDeltaReader(database, position, detailed, unreadable)
        reader.position.timeline = end.timeline
        // SQLite reuses the ids of the last rows if they were deleted without a note.
        reader.position.event = min(position.event, end.event)
        reader.position.interaction = min(position.interaction, end.interaction)
        try reader.readNotes()
        var isComplete = reader.position.change >= end.change
        if isComplete {
            let events = try reader.readEvents()
            let interactions = try reader.readInteractions()
            // The join skips interactions whose send does not exist.
            if interactions { reader.position.interaction = end.interaction }
            isComplete = events && interactions
        }
        return AudienceDelta(
            position: reader.position,
            isComplete: isComplete,
            changes: reader.changes
        )
    }

    private init(
        _ database: Database,
        _ position: ChangeCursor,
        _ detailed: [WorkspaceID: Set<Activity>],
        _ unreadable: UnreadableRows
    ) {
        self.database = database
        self.unreadable = unreadable
        self.detailed = detailed
        start = position
        self.position = position
    }

    private mutating func change(
        _ workspace: WorkspaceID,
        _ body: (inout AudienceChange) -> Void
    ) {
        body(&changes[workspace, default: AudienceChange(sequence: 0)])
    }

    // MARK: Profiles

    private mutating func readNotes() throws {
        let mergedInto = try merges()
        var written: [Int64: WorkspaceID] = [:]
        var merged: [(from: Int64, into: Int64, workspace: WorkspaceID)] = []
        var lists: [Int64: WorkspaceID] = [:]
        var kept: [Int64: Int64] = [:]
        var keptInteractions: [WorkspaceID: Int64] = [:]
        var notes: [(events: Int64, interactions: Int64)] = []
        var last = position.change
        try RawRows.forEach(
            database,
            sql: """
                SELECT sequence, workspace_id, profile_id, kind, events_end, interactions_end, other
                FROM profile_changes WHERE sequence > ? ORDER BY sequence LIMIT ?
                """,
            arguments: [position.change, Self.maxNotes]
        ) { row in
            last = row.integer(0)
            let workspace = WorkspaceID(row.integer(1))
            let profile = row.integer(2)
            switch Kind(rawValue: row.integer(3)) {
            case .written, nil: written[profile] = workspace
            case .deleted:
                written[profile] = workspace
                notes.append((row.integer(4), row.integer(5)))
            case .merged:
                let target = Self.end(of: profile, mergedInto)
                merged.append((profile, target, workspace))
                written[target] = workspace
            case .list: lists[profile] = workspace
            case .kept: kept[profile] = row.integer(6)
            case .keptInteractions: keptInteractions[workspace] = row.integer(6)
            }
            return true
        }
        position.change = last
        for note in notes {
            position.event = min(position.event, note.events)
            position.interaction = min(position.interaction, note.interactions)
        }
        // Whoever is merged in a later portion stays until then, so that what they did can move.
        let later = Set(mergedInto.keys).subtracting(merged.map(\.from))
        try readProfiles(written.filter { !later.contains($0.key) }, merged)
        for (list, workspace) in lists { try readList(list, workspace) }
        for (workspace, since) in keptInteractions {
            change(workspace) { $0.keptSince.interactions = since }
        }
        guard !kept.isEmpty else { return }
        let names = try ActivityNames.all(database)
        for (number, since) in kept {
            guard let name = names[number] else { continue }
            change(name.workspace) { $0.keptSince.activities[name.activity] = since }
        }
    }

    /// The targets of merges since the start, including merges in later notes: a user in the middle
    /// of a chain no longer exists.
    private func merges() throws -> [Int64: Int64] {
        var merges: [Int64: Int64] = [:]
        try RawRows.forEach(
            database,
            sql: "SELECT profile_id, other FROM profile_changes WHERE kind = 2 AND sequence > ?",
            arguments: [start.change]
        ) { row in
            merges[row.integer(0)] = row.integer(1)
            return true
        }
        return merges
    }

    private static func end(of profile: Int64, _ merges: [Int64: Int64]) -> Int64 {
        var end = profile
        // Ids are never reused, so the chain has no cycle.
        while let next = merges[end] { end = next }
        return end
    }

    private mutating func readProfiles(
        _ written: [Int64: WorkspaceID],
        _ merged: [(from: Int64, into: Int64, workspace: WorkspaceID)]
    ) throws {
        var missing = written
        for found in try AudienceProfileRows(database, unreadable).profiles(Array(written.keys)) {
            change(found.workspace) { $0.profiles.append(found.profile) }
            missing[found.profile.rowID] = nil
        }
        for (from, into, workspace) in merged where missing[into] == nil {
            change(workspace) { $0.merged.append((from, into)) }
        }
        for (profile, workspace) in missing {
            change(workspace) { $0.removed.append(profile) }
        }
    }

    private mutating func readList(_ list: Int64, _ workspace: WorkspaceID) throws {
        let isThere =
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT TRUE FROM user_lists WHERE id = ?)",
                arguments: [list]
            ) ?? false
        let members = isThere ? try SQLAudienceRows.members(of: list, database) : nil
        change(workspace) { $0.lists.updateValue(members, forKey: String(list)) }
    }

    // MARK: Occurrences

    /// - Returns: `true` if all of them fit.
    private mutating func readEvents() throws -> Bool {
        let names = try ActivityNames.all(database)
        var count = 0
        var last = position.event
        var found: [WorkspaceID: [AudienceEvent]] = [:]
        try RawRows.forEach(
            database,
            sql: """
                SELECT \(AudienceEventRows.columns), properties FROM events
                WHERE id > ? ORDER BY id LIMIT ?
                """,
            arguments: [position.event, Self.maxEvents]
        ) { row in
            count += 1
            last = row.integer(0)
            guard let name = names[row.integer(1)] else { return true }
            let isDetailed = detailed[name.workspace]?.contains(name.activity) ?? false
            let event = try unreadable.value("events", last) {
                try AudienceEventRows.event(
                    row,
                    activity: name.activity,
                    needsProperties: isDetailed,
                    unreadable
                )
            }
            if let event { found[name.workspace, default: []].append(event) }
            return true
        }
        position.event = last
        for (workspace, events) in found { change(workspace) { $0.events += events } }
        return count < Self.maxEvents
    }

    private mutating func readInteractions() throws -> Bool {
        var count = 0
        var last = position.interaction
        var found: [WorkspaceID: [AudienceEvent]] = [:]
        try RawRows.forEach(
            database,
            sql: """
                SELECT \(MessageActivities.columns) FROM push_interactions
                JOIN sends ON sends.id = send_id
                WHERE push_interactions.id > ? ORDER BY push_interactions.id LIMIT ?
                """,
            arguments: [position.interaction, Self.maxEvents]
        ) { row in
            count += 1
            last = row.integer(0)
            if let event = try MessageActivities.event(row, unreadable) {
                found[WorkspaceID(row.integer(1)), default: []].append(event)
            }
            return true
        }
        position.interaction = last
        for (workspace, events) in found { change(workspace) { $0.events += events } }
        return count < Self.maxEvents
    }
}
