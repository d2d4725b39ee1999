import Model
import Ports
import Relational
import Segments

/// A snapshot of one workspace's rows, read page by page: each database snapshot reads one of the
/// next pages while the current one is processed.
struct SQLAudienceRows: UserRowReader {
    let workspace: WorkspaceID
    let sequence: Int64
    /// Snapshots of the same state; at least one.
    let snapshots: [DatabaseSnapshot]
    let unreadable: UnreadableRows
    /// The workspace's activities by the numbers of their names.
    let names: [Int64: Activity]

    var snapshot: DatabaseSnapshot { snapshots[0] }

    /// Number of consecutive profile ids per page, whether in use or not.
    private static let profilesPerPage: Int64 = 8_192
    static let eventsPerPage = 65_536

    struct Page<Rows: Sendable, Cursor: Sendable>: Sendable {
        var rows: Rows
        /// The start of the next page; `nil` after the last one.
        var next: Cursor?
    }

    func pages<Rows, Cursor>(
        from start: Cursor,
        read: @escaping @Sendable (Database, Cursor) throws -> Page<Rows, Cursor>,
        _ receive: (Rows) throws -> Void
    ) async throws {
        let snapshot = snapshot
        let load: @Sendable (Cursor?) async throws -> Page<Rows, Cursor>? = { cursor in
            guard let cursor else { return nil }
            return try await snapshot.read { try read($0, cursor) }
        }
        var page = try await load(start)
        while let current = page {
            async let following = load(current.next)
            try receive(current.rows)
            page = try await following
        }
    }

    func profileCount() async throws -> Int {
        let workspace = workspace
        return try await snapshot.read { database in
            try Int.fetchOnly(
                database,
                sql: "SELECT count(*) FROM profiles WHERE workspace_id = ?",
                arguments: [workspace.rawValue]
            )
        }
    }

    /// The highest event id, as an upper bound: counting ten million rows would take too long.
    func eventCount() async throws -> Int {
        Int(try await snapshot.read { try $0.last(of: "events") })
    }

    func scanProfiles(_ receive: ([AudienceProfile]) throws -> Void) async throws {
        let (workspace, unreadable) = (workspace, unreadable)
        try await scanPages(
            read: { database, after, last in
                try AudienceProfileRows(database, unreadable)
                    .page(of: workspace, after: after, through: last)
            },
            { if !$0.isEmpty { try receive($0) } }
        )
    }

    func scanBatches(
        skipping skipped: Set<Segments.StandardAttribute>,
        _ receive: (AudienceProfileBatch) throws -> Void
    ) async throws {
        let (workspace, unreadable) = (workspace, unreadable)
        try await scanPages(
            read: { database, after, last in
                var reader = try AudienceBatchReader(database, skipping: skipped, unreadable)
                return try reader.page(of: workspace, after: after, through: last)
            },
            { if !$0.rowIDs.isEmpty { try receive($0) } }
        )
    }

    /// Reads ranges of ids, one per snapshot at a time, and delivers them in ascending order.
    private func scanPages<Rows: Sendable>(
        read: @escaping @Sendable (Database, _ after: Int64, _ through: Int64) throws -> Rows,
        _ receive: (Rows) throws -> Void
    ) async throws {
        let last = try await snapshot.read { try $0.last(of: "profiles") }
        let starts = Array(stride(from: 0, to: last, by: Int64.Stride(Self.profilesPerPage)))
        try await withThrowingTaskGroup(of: (Int, Int, Rows).self) { group in
            var begun = 0
            var waiting: [Int: Rows] = [:]
            func readNext(with reader: Int) {
                guard begun < starts.count else { return }
                let number = begun
                begun += 1
                let start = starts[number]
                let snapshot = snapshots[reader]
                group.addTask {
                    let rows = try await snapshot.read { database in
                        try read(database, start, start + Self.profilesPerPage)
                    }
                    return (number, reader, rows)
                }
            }
            for reader in snapshots.indices { readNext(with: reader) }
            // Pages may arrive out of order.
            for number in starts.indices {
                while waiting[number] == nil, let (done, reader, rows) = try await group.next() {
                    waiting[done] = rows
                    readNext(with: reader)
                }
                if let rows = waiting.removeValue(forKey: number) { try receive(rows) }
            }
        }
    }

    func scanOccurrences(_ receive: (ActivityBatch) throws -> Void) async throws {
        // Each reader walks one name from its first page to its last.
        struct Walk {
            var reader: Int
            var name: Int64
            var activity: Activity
            var cursor = EventCursor()
        }
        typealias Answer = (Walk, Page<ActivityBatch, EventCursor>)
        try await withThrowingTaskGroup(of: Answer.self) { group in
            var names = Array(names.filter { $0.value != .purchase })
            func read(_ walk: Walk) {
                let (snapshot, unreadable) = (snapshots[walk.reader], unreadable)
                group.addTask {
                    let page = try await snapshot.read { database in
                        try Self.occurrences(
                            database,
                            unreadable,
                            walk.name,
                            walk.activity,
                            after: walk.cursor
                        )
                    }
                    return (walk, page)
                }
            }
            func readNextName(with reader: Int) {
                guard let (name, activity) = names.popLast() else { return }
                read(Walk(reader: reader, name: name, activity: activity))
            }
            for reader in snapshots.indices { readNextName(with: reader) }
            while let (walk, page) = try await group.next() {
                if let next = page.next {
                    var following = walk
                    following.cursor = next
                    read(following)
                } else {
                    readNextName(with: walk.reader)
                }
                if !page.rows.times.isEmpty { try receive(page.rows) }
            }
        }
        var buffers: [Activity: ActivityBatch] = [:]
        try await scanMessages(of: nil, from: nil, until: nil) { events in
            for event in events {
                buffers[event.activity, default: ActivityBatch(activity: event.activity)]
                    .append(profile: event.profile, time: event.time)
            }
        }
        for buffer in buffers.values { try receive(buffer) }
    }

    private static func occurrences(
        _ database: Database,
        _ unreadable: UnreadableRows,
        _ number: Int64,
        _ activity: Activity,
        after cursor: EventCursor
    ) throws -> Page<ActivityBatch, EventCursor> {
        // The index alone contains every column that is needed.
        let page = try cursor.page(
            AudienceEventRows.columns,
            from: EventTimes.byQuarter,
            of: number,
            atMost: eventsPerPage,
            database
        ) { row -> (profile: Int64, time: Int64)? in
            let milliseconds = row.integer(2)
            return try unreadable.value("events", row.integer(0)) {
                try StoredTime.check(milliseconds)
                return (row.integer(3), milliseconds.secondsFromMilliseconds)
            }
        }
        var batch = ActivityBatch(activity: activity)
        batch.profiles = page.rows.map(\.profile)
        batch.times = page.rows.map(\.time)
        return Page(rows: batch, next: page.next)
    }

    func scanEvents(
        _ query: AudienceEventQuery,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws {
        try await scan(query, of: nil, receive)
    }

    /// The same, for one user only if `profile` is given.
    func scan(
        _ query: AudienceEventQuery,
        of profile: ProfileID?,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws {
        let wanted: [(Int64, Activity)]
        switch query.subject {
        case .message:
            wanted = []
        case let subject:
            wanted = names.filter { subject?.isOf($0.value) ?? true }
                .ordered { $0.key }.map { ($0.key, $0.value) }
        }
        let unreadable = unreadable
        let (kept, events) = try await snapshot.read { database in
            (
                try Self.keptSince(database),
                try wanted.isEmpty
                    ? nil : profile.map { try UserEventIndex(database).list(of: $0) }
            )
        }
        for (number, activity) in wanted {
            let since = kept[number]
            var sums = RemovedSums()
            if since != nil, query.includesSums {
                sums = try await removedSums(of: number, by: profile)
            }
            // What is only summed up has to be read for that, and otherwise not.
            let from = query.includesSums ? query.from : max(query.from ?? .min, since ?? .min)
            try await pages(
                from: EventCursor(since: from?.millisecondsFromSeconds ?? .min),
                read: { database, cursor in
                    try Self.events(
                        database,
                        unreadable,
                        number,
                        activity,
                        query,
                        since: from,
                        among: events,
                        after: cursor
                    )
                },
                { events in try receive(since.map { sums.take(events, before: $0) } ?? events) }
            )
            try receive(sums.events(of: activity))
        }
        if query.subject?.isOfConversions ?? true {
            try receive(try await conversions(query.subject, of: profile))
        }
        guard query.subject?.isOfMessages ?? true else { return }
        try await scanMessages(query, of: profile, receive)
    }

    private func conversions(
        _ subject: ActivityCondition.Subject?,
        of profile: ProfileID?
    ) async throws -> [AudienceEvent] {
        let (workspace, unreadable) = (workspace, unreadable)
        var wanted: [String] = []
        if case .message(_, let campaigns) = subject { wanted = campaigns }
        let campaigns = wanted
        return try await snapshot.read { database in
            try ConversionActivities.events(
                of: campaigns,
                in: workspace,
                by: profile,
                database,
                unreadable
            )
        }
    }

    private static func events(
        _ database: Database,
        _ unreadable: UnreadableRows,
        _ number: Int64,
        _ activity: Activity,
        _ query: AudienceEventQuery,
        since from: Int64?,
        among numbers: String?,
        after cursor: EventCursor
    ) throws -> Page<[AudienceEvent], EventCursor> {
        let needsRows = query.needsProperties || activity == .purchase
        var condition = EventTimes.within(":from", ":until")
        var arguments: StatementArguments = [
            "from": from?.millisecondsFromSeconds ?? .min,
            "until": query.until?.millisecondsFromSeconds ?? .max,
        ]
        if let numbers {
            condition += " AND events.id IN (SELECT CAST(value AS INTEGER) FROM json_each(:events))"
            arguments += ["events": numbers]
        }
        return try cursor.page(
            "\(AudienceEventRows.columns)\(needsRows ? ", properties" : "")",
            from: numbers == nil ? EventTimes.byQuarter : "events NOT INDEXED",
            of: number,
            where: (condition, arguments),
            atMost: eventsPerPage / 4,
            database
        ) { row in
            try unreadable.value("events", row.integer(0)) {
                try AudienceEventRows.event(
                    row,
                    activity: activity,
                    needsProperties: query.needsProperties,
                    unreadable
                )
            }
        }
    }

    func scanMessages(
        of profile: ProfileID?,
        from: Int64?,
        until: Int64?,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws {
        let (workspace, unreadable) = (workspace, unreadable)
        try await pages(
            from: Int64(0),
            read: { database, id in
                var events: [AudienceEvent] = []
                var rows = 0
                var last = id
                try RawRows.forEach(
                    database,
                    sql: """
                        SELECT \(MessageActivities.columns) FROM push_interactions
                        JOIN sends ON sends.id = send_id
                        WHERE push_interactions.id > ? AND sends.workspace_id = ?
                            AND push_interactions.time >= ? AND push_interactions.time < ?
                            \(profile == nil ? "" : "AND push_interactions.profile_id = ?")
                        ORDER BY push_interactions.id LIMIT ?
                        """,
                    arguments: [
                        id, workspace.rawValue, from?.millisecondsFromSeconds ?? .min,
                        until?.millisecondsFromSeconds ?? .max,
                    ] + (profile.map { [$0.rawValue] } ?? []) + [Self.eventsPerPage]
                ) { row in
                    rows += 1
                    last = row.integer(0)
                    if let event = try MessageActivities.event(row, unreadable) {
                        events.append(event)
                    }
                    return true
                }
                return Page(rows: events, next: rows < Self.eventsPerPage ? nil : last)
            },
            receive
        )
    }

    func scanLists(_ receive: (_ id: String, _ profiles: [Int64]) throws -> Void) async throws {
        let workspace = workspace
        let lists = try await snapshot.read { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT id FROM user_lists WHERE workspace_id = ?",
                arguments: [workspace.rawValue]
            )
        }
        for list in lists {
            let members = try await snapshot.read { try Self.members(of: list, $0) }
            try receive(String(list), members)
        }
    }

    static func members(of list: Int64, _ database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: "SELECT profile_id FROM user_list_members WHERE list_id = ? ORDER BY profile_id",
            arguments: [list]
        )
    }
}

extension ActivityCondition.Subject {
    /// Whether occurrences of an activity can have this subject.
    fileprivate func isOf(_ activity: Activity) -> Bool {
        switch (self, activity) {
        case (.event(let wanted), .event(let name)): wanted == name
        case (.purchase, .purchase), (.session, .session): true
        default: false
        }
    }

    fileprivate var isOfMessages: Bool {
        if case .message(let action, _) = self { action != .converted } else { false }
    }

    fileprivate var isOfConversions: Bool {
        if case .message(.converted, _) = self { true } else { false }
    }
}
