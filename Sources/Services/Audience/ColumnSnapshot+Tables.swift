import Ports
import Segments

/// Tables of properties, filled from rows.
extension ColumnSnapshot {
    private struct TooLarge: Error {}

    /// Fills an activity's empty table; removes it where it becomes too large.
    mutating func fillTable(of activity: Activity, from rows: any UserRowReader) async throws {
        let query = AudienceEventQuery(subject: activity.subject, needsProperties: true)
        do {
            try await rows.scanEvents(query) { events in
                try Task.checkCancellation()
                for event in events where event.activity == activity { addToTable(event) }
                guard tables[activity] != nil else { throw TooLarge() }
            }
        } catch is TooLarge {}
    }
}

extension WorkspaceUserIndex {
    /// Makes a table of some of an activity's properties, for reports that look at them.
    ///
    /// - Parameter source: Rows at the same position as the columns.
    package func makeTable(
        of activity: Activity,
        _ names: Set<String>,
        from source: any UserRowReader
    ) async throws {
        var columns: ColumnSnapshot? = beginTable(of: activity, names)
        defer { finishTable(of: activity, in: columns) }
        do {
            try await columns?.fillTable(of: activity, from: source)
        } catch {
            columns = nil
            throw error
        }
    }
}

extension Activity {
    /// All occurrences of it.
    fileprivate var subject: ActivityCondition.Subject {
        switch self {
        case .event(let name): .event(name)
        case .purchase: .purchase(products: [])
        case .session: .session
        case .message(let action, let campaign): .message(action, campaigns: [campaign])
        }
    }
}
