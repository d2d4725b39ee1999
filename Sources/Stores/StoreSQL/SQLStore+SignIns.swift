import Foundation
import Model
import Ports
import Relational

extension SQLStore: SignInStore {
    /// Number of expired windows that each attempt deletes.
    private static let sweep = 20
    /// By how much the clocks of two servers may differ, in seconds. A window that ends later than it could was
    /// begun before a clock was set back.
    private static let skew: TimeInterval = 60

    package func takeSignInAttempt(_ quotas: [SignInQuota], now: Date) async throws -> Date? {
        // A rejected attempt costs a read, not a write: a flood of attempts does not occupy the
        // writer.
        if let wait = try await read({ try Self.wait(for: quotas, at: now, $0) }) { return wait }
        return try await write { database in
            // Concurrent requests may have used the last attempts since.
            if let wait = try Self.wait(for: quotas, at: now, database) { return wait }
            let time = now.milliseconds
            try database.execute(
                sql: """
                    DELETE FROM sign_in_attempts WHERE subject IN (
                        SELECT subject FROM sign_in_attempts WHERE window_ends_at <= ?
                        ORDER BY window_ends_at LIMIT ?)
                    """,
                arguments: [time, Self.sweep]
            )
            for quota in quotas {
                let end = now.addingTimeInterval(quota.window).milliseconds
                let latest = now.addingTimeInterval(quota.window + Self.skew).milliseconds
                try database.execute(
                    sql: """
                        INSERT INTO sign_in_attempts (subject, attempts, window_ends_at)
                        VALUES (:subject, 1, :end)
                        ON CONFLICT (subject) DO UPDATE SET
                            attempts = CASE WHEN sign_in_attempts.window_ends_at > :now
                                AND sign_in_attempts.window_ends_at <= :latest
                                THEN sign_in_attempts.attempts + 1 ELSE 1 END,
                            window_ends_at = CASE
                                WHEN sign_in_attempts.window_ends_at > :now
                                AND sign_in_attempts.window_ends_at <= :latest
                                THEN sign_in_attempts.window_ends_at ELSE :end END
                        """,
                    arguments: [
                        "subject": quota.subject, "now": time, "end": end, "latest": latest,
                    ]
                )
            }
            return nil
        }
    }

    package func settleSignIn(_ result: SignInResult, now: Date) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO sign_in_figures (outcome, count) VALUES (?, 1)
                    ON CONFLICT (outcome) DO UPDATE SET count = sign_in_figures.count + 1
                    """,
                arguments: [result.hasSucceeded ? "succeeded" : "failed"]
            )
            for subject in result.forgotten {
                try database.execute(
                    sql: "DELETE FROM sign_in_attempts WHERE subject = ?",
                    arguments: [subject]
                )
            }
            for subject in result.returned {
                try database.execute(
                    sql: """
                        UPDATE sign_in_attempts SET attempts = attempts - 1
                        WHERE subject = ? AND attempts > 0
                        """,
                    arguments: [subject]
                )
            }
            if let remembered = result.remembered {
                try database.execute(
                    sql: """
                        INSERT INTO sign_in_attempts (subject, attempts, window_ends_at)
                        VALUES (?, 0, ?)
                        ON CONFLICT (subject) DO UPDATE SET attempts = excluded.attempts,
                            window_ends_at = excluded.window_ends_at
                        """,
                    arguments: [remembered.subject, remembered.until.milliseconds]
                )
            }
            if let (record, workspace) = result.audit {
                try Self.addAudit(record, in: workspace, database)
            }
        }
    }

    package func signInFigures() async throws -> (failed: Int, succeeded: Int) {
        try await read { database in
            func count(_ outcome: String) throws -> Int {
                try Int.fetchOne(
                    database,
                    sql: "SELECT count FROM sign_in_figures WHERE outcome = ?",
                    arguments: [outcome]
                ) ?? 0
            }
            return (try count("failed"), try count("succeeded"))
        }
    }

    /// The time of the next allowed attempt; `nil` if one is allowed now.
    private static func wait(
        for quotas: [SignInQuota],
        at now: Date,
        _ database: Database
    ) throws -> Date? {
        var latest: Date?
        for quota in quotas {
            if let known = quota.unlessKnown, try isKnown(known, at: now, database) { continue }
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT window_ends_at FROM sign_in_attempts
                    WHERE subject = ? AND attempts >= ? AND window_ends_at > ?
                        -- A clock that was set back locks nobody out for long.
                        AND window_ends_at <= ?
                    """,
                arguments: [
                    quota.subject, quota.limit, now.milliseconds,
                    now.addingTimeInterval(quota.window + Self.skew).milliseconds,
                ]
            )
            guard let row else { continue }
            let end = Date(milliseconds: row["window_ends_at"])
            latest = max(latest ?? end, end)
        }
        return latest
    }

    private static func isKnown(_ subject: Data, at now: Date, _ database: Database) throws -> Bool
    {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT TRUE FROM sign_in_attempts
                               WHERE subject = ? AND window_ends_at > ?)
                """,
            arguments: [subject, now.milliseconds]
        ) ?? false
    }
}
