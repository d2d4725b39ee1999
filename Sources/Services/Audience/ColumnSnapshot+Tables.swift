import Ports
import Segments

/// Tables of properties, filled from rows.
extension ColumnSnapshot {
    private struct TooLarge: Error {}

    /// The table of an activity that has these properties; an empty one if it never occurred.
    func table(of activity: Activity, _ names: Set<String>) -> PropertyTable? {
        if let table = tables[activity], table.holds(names) { return table }
        guard count(of: activity) == 0 else { return nil }
        return PropertyTable(names, of: activity, policy: policy)
    }

    /// Whether tables hold all that is asked of properties.
    func holds(_ properties: ActivityProperties) -> Bool {
        properties.names.allSatisfy { table(of: $0, $1) != nil }
    }

    /// Fills an activity's empty table; removes it where it becomes too large.
    mutating func fillTable(of activity: Activity, from rows: any UserRowReader) async throws {
        guard let subject = activity.subject else { return }
        let query = AudienceEventQuery(subject: subject, needsProperties: true)
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
    /// All occurrences of it; `nil` for messages, which have no properties.
    fileprivate var subject: ActivityCondition.Subject? {
        switch self {
        case .event(let name): .event(name)
        case .purchase: .purchase(products: [])
        case .session: .session
        case .message: nil
        }
    }
}
