import Foundation
import Ports
import Relational

extension SQLStore: SecretKeyStore {
    /// The columns with encrypted values.
    static let secretColumns = [
        (table: "credentials", column: "box"), (table: "secrets", column: "box"),
        (table: "second_factors", column: "box"), (table: "openid_providers", column: "secret"),
        (table: "fact_webhooks", column: "secret"),
    ]

    package func keyFingerprint() async throws -> Data? {
        try await read { try Self.keyFingerprint($0) }
    }

    private static func keyFingerprint(_ database: Database) throws -> Data? {
        try Data.fetchOne(database, sql: "SELECT fingerprint FROM secret_key WHERE id = 1")
    }

    package func keepKeyFingerprint(
        _ fingerprint: Data,
        insteadOf former: Data?
    ) async throws -> Data {
        try await write { database in
            let kept = try Self.keyFingerprint(database)
            if let kept, kept != former { return kept }
            try database.execute(
                sql: """
                    INSERT INTO secret_key (id, fingerprint) VALUES (1, ?)
                    ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint
                    """,
                arguments: [fingerprint]
            )
            return fingerprint
        }
    }

    package func headsOfSecrets(length: Int) async throws -> [Data] {
        let sql = Self.secretColumns.map { table, column in
            "SELECT substr(\(column), 1, \(length)) FROM \(table)"
        }.joined(separator: " UNION ")
        return try await read { try Data.fetchAll($0, sql: sql) }
    }
}
