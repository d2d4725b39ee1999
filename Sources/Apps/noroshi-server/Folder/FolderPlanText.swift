import ArgumentParser
import Console
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

    /// - Parameters:
    ///   - counts: Whom rows reach; empty where nobody was counted.
    ///   - reviews: What a review says of rows.
    func text(_ counts: [FolderReach.Count], _ reviews: [FolderReview.Found]) throws -> String {
        var lines: [String] = []
        let words = FolderReviewText(try ConsoleBooks.embedded.get())
        let reach = Dictionary(
            counts.map { ($0.path, $0.text) },
            uniquingKeysWith: { first, _ in first }
        )
        for entry in plan.entries {
            lines.append("\(entry.isNew ? "new    " : "changed")  \(entry.path)")
            lines += entry.differences.map { "         \($0)" }
            if let reached = reach[entry.path] { lines.append("         " + reached) }
            for review in reviews where review.path == entry.path {
                lines += words.lines(review).map { "         " + $0 }
            }
            if entry.takesBack {
                lines.append(
                    "         was changed on the server since the last pull or apply: this takes it back"
                )
            }
        }
        let changed = Set(plan.entries.map(\.path))
        for count in counts where !changed.contains(count.path) {
            lines += ["follows  \(count.path)", "         " + count.text]
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

    /// Whom the plan reaches; reads all users into memory.
    func counts(_ opened: WorkspaceHandle) async throws -> [FolderReach.Count] {
        guard !plan.entries.isEmpty else { return [] }
        return try await CommandAudience.with(opened.store) { audience in
            try await FolderReach(plan, opened, audience).counts()
        }
    }
}
