import Foundation
import Model
import Relational

/// The reports of a message, and sums of those whose rows were removed, as something to select from:
/// `profile_id`, `kind`, `button`, `variant`, `time`, which is the first of a sum's, `times`, and
/// `is_removed`.
struct InAppReports {
    /// What `source` needs.
    let arguments: StatementArguments
    private let database: Database

    init(of message: UUID, in workspace: WorkspaceID, _ database: Database) {
        self.database = database
        arguments = [
            "workspace": workspace.rawValue, "message": message.uuidString.lowercased(),
        ]
    }

    /// Without sums where there are none, so that an index counts.
    func source() throws -> String {
        try hasSums() ? "(\(Self.rows) UNION ALL \(Self.sums))" : "(\(Self.rows))"
    }

    /// Since when all of what was shown is there, where some of it is only summed up.
    func showingsSince() throws -> Date? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT max(last) + 1 FROM removed_in_app_subjects
                CROSS JOIN removed_in_app_reports ON subject_id = removed_in_app_subjects.id
                WHERE workspace_id = :workspace AND message_id = :message AND kind = 'impression'
                """,
            arguments: arguments
        ).map(Date.init(milliseconds:))
    }

    private func hasSums() throws -> Bool {
        try Bool.fetchOnly(
            try database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT TRUE FROM removed_in_app_subjects
                        WHERE workspace_id = :workspace AND message_id = :message)
                    """
            ),
            arguments: arguments
        )
    }

    private static let rows = """
        SELECT profile_id, kind, button, variant, time, 1 AS times, 0 AS is_removed
        FROM in_app_message_interactions
        WHERE workspace_id = :workspace AND message_id = :message
        """

    private static let sums = """
        SELECT profile_id, kind, button, variant, first AS time, count AS times, 1 AS is_removed
        FROM removed_in_app_subjects
        CROSS JOIN removed_in_app_reports ON subject_id = removed_in_app_subjects.id
        WHERE workspace_id = :workspace AND message_id = :message
        """
}
