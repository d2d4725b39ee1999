import Model
import Ports
import Segments

/// Tables of properties, which columns do not have until a report asks for them.
extension SegmentationService {
    /// Whether tables hold all that is asked of properties.
    func hasTables(for properties: ActivityProperties, in workspace: WorkspaceID) -> Bool {
        guard let index else { return false }
        // Each is asked, because being asked keeps a table.
        return properties.names.map { index.hasTable(of: $0, $1, in: workspace) }
            .allSatisfy(\.self)
    }

    /// Makes the missing tables, one after another, as far as they do not become too large.
    /// Evaluations and commits go on meanwhile.
    ///
    /// - Returns: Whether tables hold all that is asked of properties then.
    @discardableResult
    func makeTables(
        for properties: ActivityProperties,
        in workspace: WorkspaceID
    ) async throws -> Bool {
        guard !properties.isEmpty else { return true }
        try await catchUp()
        if hasTables(for: properties, in: workspace) { return true }
        for (activity, names) in properties.names {
            try await tableTurns.take {
                // Asked in turn, because the one before may have made it.
                for names in self.index?.tableAttempts(of: activity, names, in: workspace) ?? [] {
                    try await self.makeTable(of: activity, names, in: workspace)
                    if self.index?.hasTable(of: activity, names, in: workspace) == true { return }
                }
            }
        }
        return hasTables(for: properties, in: workspace)
    }

    private func makeTable(
        of activity: Activity,
        _ names: Set<String>,
        in workspace: WorkspaceID
    ) async throws {
        // Begun where nobody else applies commits, and where none came between the snapshot and the
        // last look: rows and columns are the same ones then.
        let begun = try await turns.take { [store] () -> Begun? in
            for _ in 0..<Self.tableAttempts {
                guard let index = self.index else { return nil }
                let view = try await store.audienceView()
                try await index.advance(from: store)
                guard index.position == view.position else { continue }
                guard let table = index.beginTable(of: activity, names, in: workspace) else {
                    return nil
                }
                return Begun(index: index, view: view, table: table)
            }
            return nil
        }
        guard var begun else { return }
        do {
            let rows = try await begun.view.rows(of: workspace)
            try await begun.table.columns.fillTable(of: activity, from: rows)
        } catch {
            begun.index.finish(begun.table, names, isWhole: false)
            throw error
        }
        begun.index.finish(begun.table, names, isWhole: true)
    }

    /// So many commits may come in between before the rows are read without a table.
    private static let tableAttempts = 20

    private struct Begun: Sendable {
        let index: UserIndex
        let view: any UserRowSnapshot
        var table: UserIndex.UnfinishedTable
    }
}
