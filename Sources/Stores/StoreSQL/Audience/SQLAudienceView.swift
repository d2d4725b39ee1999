import Model
import Ports
import Relational
import Segments

/// A snapshot of all rows, through dedicated connections whose transactions last as long as this
/// value.
struct SQLAudienceView: UserRowSnapshot {
    let position: ChangeCursor
    /// At least one.
    private let snapshots: [DatabaseSnapshot]
    private let unreadable: UnreadableRows
    private var snapshot: DatabaseSnapshot { snapshots[0] }

    /// - Parameter snapshots: Snapshots of the same state.
    init(_ snapshots: [DatabaseSnapshot], _ unreadable: UnreadableRows) async throws {
        self.snapshots = snapshots
        self.unreadable = unreadable
        position = try await snapshots[0].read(ChangeCursor.init(end:))
    }

    func rows(of workspace: WorkspaceID) async throws -> any UserRowReader {
        try await ownRows(of: workspace)
    }

    private func ownRows(of workspace: WorkspaceID) async throws -> SQLAudienceRows {
        SQLAudienceRows(
            workspace: workspace,
            sequence: position.change,
            snapshots: snapshots,
            unreadable: unreadable,
            names: try await snapshot.read(ActivityNames.all)
                .filter { $0.value.workspace == workspace }.mapValues(\.activity)
        )
    }

    func profile(_ id: ProfileID) async throws -> (WorkspaceID, AudienceProfile)? {
        try await snapshot.read { [unreadable] database in
            try AudienceProfileRows(database, unreadable).profiles([id.rawValue]).first
        }.map { ($0.workspace, $0.profile) }
    }

    func events(
        of profile: ProfileID,
        _ subjects: Set<ActivityCondition.Subject>
    ) async throws -> [AudienceEvent] {
        guard let workspace = try await self.profile(profile)?.0 else { return [] }
        let rows = try await ownRows(of: workspace)
        var events: [AudienceEvent] = []
        // Several subjects can ask for the same occurrence, which must appear only once.
        for (number, subject) in subjects.enumerated() {
            let earlier = subjects.prefix(number)
            let query = AudienceEventQuery(
                subject: subject,
                needsProperties: true,
                includesSums: true
            )
            try await rows.scan(query, of: profile) { batch in
                for event in batch
                where subject.includes(event) && !earlier.contains(where: { $0.includes(event) }) {
                    events.append(event)
                }
            }
        }
        return events
    }
}

extension ChangeCursor {
    /// The highest ids that exist.
    init(end database: Database) throws {
        self.init(
            change: try database.last("sequence", of: "profile_changes"),
            event: try database.last(of: "events"),
            interaction: try database.last(of: "push_interactions"),
            timeline: database.timeline
        )
    }
}
