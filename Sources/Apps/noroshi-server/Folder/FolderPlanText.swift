import ArgumentParser
import ContentFolders
import Model
import Server

/// A plan as people read it.
struct FolderPlanText {
    private let plan: FolderPlan

    init(_ plan: FolderPlan) {
        self.plan = plan
    }

    static func plan(_ folder: String, _ opened: WorkspaceHandle) async throws -> FolderPlan {
        do {
            return try await ContentFolder(folder, opened).plan()
        } catch let error as FolderError {
            throw ValidationError("the folder cannot be applied\n\(error)")
        }
    }

    func text(_ opened: WorkspaceHandle, counts: Bool) async throws -> String {
        var lines: [String] = []
        let reach = counts ? try await reach(opened) : [:]
        for entry in plan.entries {
            lines.append("\(entry.isNew ? "new    " : "changed")  \(entry.path)")
            lines += entry.differences.map { "         \($0)" }
            if let reached = reach[entry.path] { lines.append("         " + reached) }
            if entry.takesBack {
                lines.append(
                    "         was changed on the server since the last pull: this takes it back"
                )
            }
        }
        for rows in plan.rows where rows.added + rows.changed > 0 {
            lines.append("rows     \(rows.path): \(rows.added) added, \(rows.changed) changed")
        }
        for rows in plan.rows where rows.onlyOnServer > 0 {
            lines.append(
                "         \(rows.path): \(rows.onlyOnServer) only on the server, they stay"
            )
        }
        if !plan.onlyOnServer.isEmpty {
            let names = plan.onlyOnServer.prefix(10).joined(separator: ", ")
            let more = plan.onlyOnServer.count - 10
            lines.append(
                "Only on the server, it stays: " + names + (more > 0 ? " and \(more) more" : "")
            )
        }
        let new = plan.entries.filter(\.isNew).count
        lines.append(
            "Plan \(plan.id): \(new) to add, \(plan.entries.count - new) to change, "
                + "\(plan.unchanged) unchanged."
        )
        return lines.joined(separator: "\n")
    }

    /// Whom the entries reach, by path.
    private func reach(_ opened: WorkspaceHandle) async throws -> [String: String] {
        let kinds: Set = ["segment", "campaign", "in_app_message"]
        let entries = plan.entries.filter { kinds.contains($0.kind) }
        guard !entries.isEmpty else { return [:] }
        return try await CommandAudience.with(opened.store) { audience in
            let reach = FolderReach(plan, opened, audience)
            var texts: [String: String] = [:]
            for entry in entries { texts[entry.path] = try await reach.text(entry) }
            return texts
        }
    }
}
