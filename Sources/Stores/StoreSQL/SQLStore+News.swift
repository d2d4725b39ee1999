import Foundation
import Model
import NoroshiWire
import Ports
import Relational

extension SQLStore: NewsStore {
    package func createNews(
        _ content: NewsContent,
        author: String,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> NewsItem {
        try await write { database in
            try origin.begin(in: workspace, database)
            let publicID = UUID()
            let number = try Int64.fetchOnly(
                database,
                sql: """
                    INSERT INTO news
                        (public_id, workspace_id, title, text, content, is_draft, release_from,
                         release_end, author, created_at, updated_at)
                    VALUES (:public, :workspace, :title, :text, :content, :draft, :from, :end,
                            :author, :now, :now)
                    RETURNING id
                    """,
                arguments: try Self.arguments(of: content)
                    + [
                        "public": publicID, "workspace": workspace.rawValue, "author": author,
                        "now": now.milliseconds,
                    ]
            )
            let id = NewsID(number)
            try origin.finish(as: String(id.rawValue), in: workspace, database)
            var audit = audit
            audit?.subject = "#\(id.rawValue)"
            try Self.addAudit(audit, in: workspace, database)
            return NewsItem(
                id: id,
                publicID: publicID,
                workspace: workspace,
                content: content,
                author: author,
                createdAt: now,
                updatedAt: now
            )
        }
    }

    package func updateNews(
        _ id: NewsID,
        content: NewsContent,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool {
        try await write { database in
            try origin.begin(in: workspace, database)
            try origin.check("SELECT updated_at FROM news WHERE id = ?", id.rawValue, database)
            try database.execute(
                sql: """
                    UPDATE news SET title = :title, text = :text, content = :content,
                        is_draft = :draft, release_from = :from, release_end = :end,
                        updated_at = max(:now, updated_at + 1)
                    WHERE id = :id AND workspace_id = :workspace
                    """,
                arguments: try Self.arguments(of: content)
                    + [
                        "id": id.rawValue, "workspace": workspace.rawValue,
                        "now": now.milliseconds,
                    ]
            )
            guard try database.changesCount > 0 else { return false }
            try origin.finish(as: String(id.rawValue), in: workspace, database)
            try Self.addAudit(audit, in: workspace, database)
            return true
        }
    }

    package func deleteNews(
        _ id: NewsID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool {
        try await delete(from: "news", id.rawValue, in: workspace, noting: audit)
    }

    package func news(_ id: NewsID, in workspace: WorkspaceID) async throws -> NewsItem? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM news WHERE id = ? AND workspace_id = ?",
                arguments: [id.rawValue, workspace.rawValue]
            ).map(NewsItem.init(row:))
        }
    }

    package func news(
        in workspace: WorkspaceID,
        matching query: NewsQuery
    ) async throws -> (items: [NewsItem], total: Int) {
        var page = PagedQuery(
            "news",
            workspace: workspace.rawValue,
            limit: query.limit,
            offset: query.offset
        )
        if !query.text.isEmpty {
            page.filter(
                "(instr(lower(title), :text) OR instr(lower(text), :text))",
                ["text": query.text.lowercased()]
            )
        }
        if let state = query.state {
            page.filter(
                Self.condition(of: state),
                state == .draft ? [:] : ["now": query.now.milliseconds]
            )
        }
        return try await read { [page, unreadable] in
            try page.fetch(
                $0,
                unreadable,
                orderedBy: query.order == .oldestFirst ? "id" : "id DESC",
                NewsItem.init(row:)
            )
        }
    }

    package func newsReads(of items: [NewsID]) async throws -> [NewsID: Int] {
        let ids = try StoredJSON.text(items)
        return try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT news_id, count(*) AS reads FROM news_reads
                    WHERE news_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    GROUP BY news_id
                    """,
                arguments: [ids]
            )
            return Dictionary(
                uniqueKeysWithValues: rows.map { (NewsID($0["news_id"]), $0["reads"]) }
            )
        }
    }

    package func newsReads(of item: NewsID, between times: [Date]) async throws -> [Int] {
        guard let first = times.first, let last = times.last, times.count > 1 else { return [] }
        return try await read { database in
            var counts = Array(repeating: 0, count: times.count - 1)
            let reads = try Row.fetchCursor(
                database,
                sql: """
                    SELECT read_at FROM news_reads
                    WHERE news_id = ? AND read_at >= ? AND read_at < ?
                    """,
                arguments: [item.rawValue, first.milliseconds, last.milliseconds]
            )
            let ends = times.dropFirst().map(\.milliseconds)
            while let row = try reads.next() {
                let time: Int64 = row[0]
                if let place = ends.firstIndex(where: { time < $0 }) { counts[place] += 1 }
            }
            return counts
        }
    }

    package func newsRead(
        by user: ProfileID,
        of items: [NewsID]
    ) async throws -> [NewsID: Date] {
        let ids = try StoredJSON.text(items)
        return try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT news_id, read_at FROM news_reads
                    WHERE profile_id = ?
                        AND news_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    """,
                arguments: [user.rawValue, ids]
            )
            return Dictionary(
                uniqueKeysWithValues: rows.map {
                    (NewsID($0["news_id"]), Date(milliseconds: $0["read_at"]))
                }
            )
        }
    }

    static func arguments(of content: NewsContent) throws -> StatementArguments {
        [
            "title": content.title, "text": content.text,
            "content": try StoredJSON.text(content), "draft": content.isDraft,
            "from": content.releaseFrom?.milliseconds, "end": content.releaseEnd?.milliseconds,
        ]
    }

    /// The rule of `NewsContent.state(at:)` as an SQL condition.
    private static func condition(of state: NewsState) -> String {
        let isOver = "release_end IS NOT NULL AND release_end <= :now"
        let isEarly = "release_from IS NOT NULL AND release_from > :now"
        return switch state {
        case .draft: "is_draft"
        case .ended: "NOT is_draft AND (\(isOver))"
        case .scheduled: "NOT is_draft AND NOT (\(isOver)) AND (\(isEarly))"
        case .published: "NOT is_draft AND NOT (\(isOver)) AND NOT (\(isEarly))"
        }
    }
}

extension NewsItem {
    init(row: Row) throws {
        self.init(
            id: NewsID(row["id"]),
            publicID: try StoredUUID.value(row, "public_id"),
            workspace: WorkspaceID(row["workspace_id"]),
            content: try StoredJSON.value(row["content"], as: NewsContent.self),
            author: row["author"],
            createdAt: Date(milliseconds: row["created_at"]),
            updatedAt: Date(milliseconds: row["updated_at"])
        )
    }
}

/// The reads that the event `news_read` stores besides the event itself.
struct NewsReads {
    static let eventName = "news_read"

    /// Stores the first read of a user; ignores an item that does not exist or belongs to another
    /// workspace.
    static func store(
        _ properties: [String: JSONValue],
        by profile: ProfileID,
        in workspace: WorkspaceID,
        at time: Date,
        _ database: Database
    ) throws {
        let number: Int64? =
            switch properties["news_id"] {
            case .string(let text): Int64(text)
            case .integer(let number): number
            default: nil
            }
        guard let number else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO news_reads (news_id, profile_id, read_at)
                SELECT id, ?, ? FROM news WHERE id = ? AND workspace_id = ?
                ON CONFLICT (news_id, profile_id) DO UPDATE
                SET read_at = min(news_reads.read_at, excluded.read_at)
                """
        ).execute(arguments: [
            profile.rawValue, time.milliseconds, number, workspace.rawValue,
        ])
    }

    /// Moves a user's reads to another one, with the earlier time if both have read an item.
    static func move(
        from source: ProfileID,
        to target: ProfileID,
        _ database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO news_reads (news_id, profile_id, read_at)
                SELECT news_id, ?, read_at FROM news_reads WHERE profile_id = ?
                ON CONFLICT (news_id, profile_id) DO UPDATE
                SET read_at = min(news_reads.read_at, excluded.read_at)
                """,
            arguments: [target.rawValue, source.rawValue]
        )
    }
}
