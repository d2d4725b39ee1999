import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Writes moves of people with everything that they do, in one transaction.
///
/// It is a class because it numbers and groups while it writes; it never leaves the closure of its
/// transaction.
final class JourneyWriter {
    private struct Batch {
        var users: [ProfileID: MessageProperties] = [:]
        /// Names the send: the first of its entries and passages.
        var key: String
        var passages: [(entry: JourneyEntryID, number: Int)] = []
    }

    private let database: Database
    private let identities: IdentityCache
    private let now: Date
    private let ingest: IngestTransaction
    private var numbers: [JourneyID: [JourneyStepID: Int64]] = [:]
    private var journeys: [JourneyID: Journey] = [:]
    /// Messages to send, each user once; a second one of the same user is in the next batch.
    private var batches: [JourneyCommit.MessageKey: [Batch]] = [:]
    private var entered: Set<JourneyID> = []
    /// Lists of users that have changed.
    private var lists: [WorkspaceID: Set<UserListID>] = [:]

    init(_ database: Database, _ identities: IdentityCache, _ now: Date) throws {
        self.database = database
        self.identities = identities
        self.now = now
        ingest = try IngestTransaction(database, cache: identities, now: now)
    }

    /// - Returns: `nil` if nothing may be written.
    func write(_ commit: JourneyCommit) throws -> JourneyCommitResult? {
        if let events = commit.events, try !advance(events) { return nil }
        if let look = commit.look, try !self.look(look) { return nil }
        var result = JourneyCommitResult()
        for move in commit.moves {
            guard let entry = try place(move) else {
                // Otherwise the events would be lost for an entry that has moved since.
                if commit.events != nil, move.before != nil { return nil }
                result.outdated += 1
                continue
            }
            try note(move.passages, of: entry, move.after.journey)
            for effect in move.effects { try perform(effect, of: entry, move.after) }
        }
        try answer(commit.requests)
        try ingest.flush()
        for (workspace, lists) in lists {
            let log = ChangeLogWriter(database, in: workspace)
            for list in lists.sorted() { try log.wrote(list: list.rawValue) }
        }
        let resolved = ingest.resolved
        identities.add(resolved, after: database)
        result.sends = try send(commit.messages)
        for journey in entered {
            try database.execute(
                sql: """
                    UPDATE journeys SET first_entry_at = coalesce(first_entry_at, ?1),
                        last_entry_at = ?1 WHERE id = ?2
                    """,
                arguments: [now.milliseconds, journey.rawValue]
            )
        }
        return result
    }

    // MARK: What the moves follow from

    private func advance(_ events: JourneyCommit.Events) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE journeys SET event_cursor = ? WHERE event_cursor = ?
                    AND state IN ('active', 'draining')
                    AND id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """,
            arguments: [
                events.to, events.from, try StoredJSON.text(events.journeys),
            ]
        )
        return try database.changesCount == events.journeys.count
    }

    private func look(_ look: JourneyCommit.Look) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE journeys SET next_look_at = ?, look_cursor = ?, knows_members = ?
                WHERE id = ? AND next_look_at IS ? AND state = 'active'
                """,
            arguments: [
                look.nextAt?.milliseconds, look.cursor?.rawValue ?? 0, look.knowsMembers,
                look.journey.rawValue, look.expectedAt?.milliseconds,
            ]
        )
        guard try database.changesCount > 0 else { return false }
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO journey_members (journey_id, profile_id)
                SELECT ?, id FROM profiles WHERE id = ?
                """
        )
        for user in look.joined {
            try insert.execute(arguments: [look.journey.rawValue, user.rawValue])
        }
        if !look.gone.isEmpty {
            try database.execute(
                sql: """
                    DELETE FROM journey_members WHERE journey_id = ?
                        AND profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    """,
                arguments: [look.journey.rawValue, try StoredJSON.text(look.gone)]
            )
        }
        return true
    }

    private func answer(_ requests: [Int64]) throws {
        guard !requests.isEmpty else { return }
        try database.execute(
            sql: """
                DELETE FROM journey_requests
                WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """,
            arguments: [try StoredJSON.text(requests)]
        )
    }

    // MARK: Positions

    private func number(of step: JourneyStepID, in journey: JourneyID) throws -> Int64 {
        if let known = numbers[journey]?[step] { return known }
        let number = try JourneyStepRows(journey: journey, database: database).number(of: step)
        numbers[journey, default: [:]][step] = number
        return number
    }

    /// - Returns: `nil` if the entry is no longer as it was read, or the user may not enter.
    private func place(_ move: JourneyMove) throws -> JourneyEntryID? {
        guard let before = move.before else { return try begin(move) }
        let after = move.after
        let position = after.position
        // An entry that has ended stays at its last step.
        let last = move.passages.last
        let step = position?.step ?? last?.step
        let passage = position?.passage ?? last?.number
        try database.cachedStatement(
            sql: """
                UPDATE journey_entries SET step_id = coalesce(?, step_id),
                    passage = coalesce(?, passage), arrived_at = coalesce(?, arrived_at),
                    due_at = ?, awaits = ?, needs_look = 0, end = ?, ended_at = ?, converted_at = ?
                WHERE id = ? AND passage = coalesce(?, passage) AND version = ? AND end IS ?
                    AND converted_at IS ?
                """
        ).execute(arguments: [
            try step.map { try number(of: $0, in: after.journey) }, passage,
            (position?.arrivedAt ?? last?.arrivedAt)?.milliseconds,
            position?.dueAt?.milliseconds, (position?.awaits ?? .time).rawValue,
            after.end?.rawValue, after.endedAt?.milliseconds, after.convertedAt?.milliseconds,
            before.id.rawValue, before.position?.passage, before.version,
            before.end?.rawValue, before.convertedAt?.milliseconds,
        ])
        return try database.changesCount > 0 ? before.id : nil
    }

    private func begin(_ move: JourneyMove) throws -> JourneyEntryID? {
        let after = move.after
        let place =
            after.position.map { ($0.step, $0.passage) }
            ?? move.passages.last.map { ($0.step, $0.number) }
        guard let (step, passage) = place else { return nil }
        // The user may have been deleted, or has entered, since the move was made.
        let entry = try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO journey_entries (journey_id, profile_id, number, version,
                        entered_at, properties, step_id, passage, arrived_at, due_at, awaits, end,
                        ended_at, converted_at)
                    SELECT ?, id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM profiles WHERE id = ?
                    RETURNING id
                    """
            ),
            arguments: [
                after.journey.rawValue, after.number, after.version, after.enteredAt.milliseconds,
                try JourneyEntryRow.text(after.properties),
                try number(of: step, in: after.journey), passage,
                (after.position?.arrivedAt ?? after.enteredAt).milliseconds,
                after.position?.dueAt?.milliseconds, (after.position?.awaits ?? .time).rawValue,
                after.end?.rawValue, after.endedAt?.milliseconds, after.convertedAt?.milliseconds,
                after.profile.rawValue,
            ]
        )
        guard let entry else { return nil }
        entered.insert(after.journey)
        return JourneyEntryID(entry)
    }

    private func note(
        _ passages: [JourneyPassage],
        of entry: JourneyEntryID,
        _ journey: JourneyID
    ) throws {
        guard !passages.isEmpty else { return }
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO journey_passages (entry_id, number, step_id, version, arrived_at,
                    left_at, outcome, path) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        for passage in passages {
            try insert.execute(arguments: [
                entry.rawValue, passage.number, try number(of: passage.step, in: journey),
                passage.version, passage.arrivedAt.milliseconds, passage.leftAt.milliseconds,
                JourneyOutcomeCode.code(passage.outcome), passage.path,
            ])
        }
    }

    // MARK: Effects

    private func journey(_ id: JourneyID) throws -> Journey {
        if let known = journeys[id] { return known }
        guard let found = try Journey.fetch(id, database) else {
            throw StoreError(.unreadable, .noJourney, ["id": "\(id)"])
        }
        journeys[id] = found
        return found
    }

    private func perform(
        _ effect: JourneyEffect,
        of entry: JourneyEntryID,
        _ after: JourneyEntry
    ) throws {
        switch effect.kind {
        case .push:
            let key = JourneyCommit.MessageKey(
                journey: after.journey,
                step: effect.step,
                version: after.version
            )
            add(entry, effect.passage, after, to: key)
        case .inAppMessage(let shown):
            try database.execute(
                sql: "INSERT INTO journey_grants VALUES (?, ?, ?, ?)",
                arguments: [
                    entry.rawValue, effect.passage, shown.message,
                    now.addingTimeInterval(shown.duration).milliseconds,
                ]
            )
        case .update(let update):
            try apply(update, to: after.profile, in: journey(after.journey).workspace)
        case .webhook:
            try database.execute(
                sql: """
                    INSERT INTO journey_calls (workspace_id, entry_id, passage, step_id, version,
                        due_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    try journey(after.journey).workspace.rawValue, entry.rawValue, effect.passage,
                    try number(of: effect.step, in: after.journey), after.version,
                    now.milliseconds, now.milliseconds,
                ]
            )
        case .enterJourney(let other):
            let target = try Int64.fetchOne(
                database,
                sql: """
                    SELECT id FROM journeys
                    WHERE api_id = ? AND workspace_id = ? AND state = 'active'
                    """,
                arguments: [other, try journey(after.journey).workspace.rawValue]
            )
            guard let target else { return }
            try SQLStore.requestEntry(
                after.profile,
                after.properties,
                into: JourneyID(target),
                now,
                database
            )
        }
    }

    private func apply(
        _ update: JourneyUpdate,
        to profile: ProfileID,
        in workspace: WorkspaceID
    ) throws {
        if !update.attributes.isEmpty,
            let publicID = try UUID.fetchOne(
                try database.cachedStatement(sql: "SELECT public_id FROM profiles WHERE id = ?"),
                arguments: [profile.rawValue]
            )
        {
            let item = IngestItem(
                recordID: nil,
                user: .profile(publicID),
                updatesExistingOnly: true,
                time: now,
                content: .attributes(AttributeChanges(update.attributes))
            )
            _ = try ingest.apply(item, in: workspace)
        }
        for list in update.addToLists {
            // The list may have been deleted since the version was published.
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO user_list_members (list_id, profile_id)
                    SELECT id, ? FROM user_lists WHERE id = ? AND workspace_id = ?
                    """,
                arguments: [profile.rawValue, list.rawValue, workspace.rawValue]
            )
        }
        for list in update.removeFromLists {
            try database.execute(
                sql: "DELETE FROM user_list_members WHERE list_id = ? AND profile_id = ?",
                arguments: [list.rawValue, profile.rawValue]
            )
        }
        lists[workspace, default: []].formUnion(update.addToLists + update.removeFromLists)
    }

    // MARK: Messages

    private func add(
        _ entry: JourneyEntryID,
        _ passage: Int,
        _ after: JourneyEntry,
        to key: JourneyCommit.MessageKey
    ) {
        var found = batches[key] ?? []
        let index = found.firstIndex { $0.users[after.profile] == nil } ?? found.count
        if index == found.count { found.append(Batch(key: "entry-\(entry)-\(passage)")) }
        found[index].users[after.profile] = after.properties
        found[index].passages.append((entry, passage))
        batches[key] = found
    }

    /// Creates a send for each message, which names its recipients.
    private func send(
        _ contents: [JourneyCommit.MessageKey: CampaignContent]
    ) throws -> [SendID] {
        var sends: [SendID] = []
        let order = batches.ordered { ($0.key.journey, $0.key.step, $0.key.version) }
        for (key, batches) in order {
            guard let content = contents[key],
                let id = try JourneyStepRows(journey: key.journey, database: database)
                    .campaign(of: key.step),
                var campaign = try Campaign.fetch(id, database)
            else { throw StoreError(.unreadable, .journeyMessage, ["step": "\(key.step)"]) }
            // The text of the version in which the people are, not of the newest one.
            campaign.content = content
            for batch in batches {
                var message = campaign.launchContent(
                    batch.key,
                    audience: .profiles(batch.users.keys.sorted())
                )
                message.launch?.journey = JourneyOrigin(
                    journey: key.journey,
                    step: key.step,
                    version: key.version
                )
                let launch = LaunchRequest(
                    campaign: id,
                    key: batch.key,
                    dueAt: now,
                    content: message,
                    scheduledAt: now,
                    properties: batch.users
                )
                guard case .launched(let send) = try SQLStore.make(launch, now, database) else {
                    throw StoreError(.unreadable, .journeyMessageIdle)
                }
                sends.append(send.id)
                try link(batch.passages, to: send.id)
            }
        }
        return sends
    }

    private func link(
        _ passages: [(entry: JourneyEntryID, number: Int)],
        to send: SendID
    ) throws {
        let update = try database.cachedStatement(
            sql: "UPDATE journey_passages SET send_id = ? WHERE entry_id = ? AND number = ?"
        )
        for passage in passages {
            try update.execute(arguments: [
                send.rawValue, passage.entry.rawValue, passage.number,
            ])
        }
    }
}
