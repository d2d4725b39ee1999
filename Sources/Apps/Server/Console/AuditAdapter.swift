import Accounts
import Console
import Foundation
import Model
import Ports

/// Reads and writes the audit log for the console.
struct AuditAdapter: AuditPages {
    let store: any Store
    let log: AuditLog

    init(store: any Store, now: @escaping @Sendable () -> Date) {
        self.store = store
        log = AuditLog(store: store, origin: .console, now: now)
    }

    func auditLog(
        _ query: AuditLogQuery,
        for member: ConsoleMember
    ) async throws -> AuditLogList {
        let found = try await store.audit(
            in: WorkspaceID(member.workspaceID),
            matching: AuditQuery(
                text: query.text,
                author: query.author,
                origin: query.origin.flatMap { AuditRecord.Origin(rawValue: $0.rawValue) },
                limit: query.page.size,
                offset: query.page.offset
            )
        )
        return AuditLogList(
            rows: found.records.map { record in
                AuditEntry(
                    at: record.at,
                    origin: AuditOrigin(record.origin),
                    author: record.author,
                    action: record.action,
                    subject: record.subject,
                    detail: record.detail
                )
            },
            total: found.total
        )
    }

    func auditAuthors(for member: ConsoleMember) async throws -> [String] {
        try await store.auditAuthors(in: WorkspaceID(member.workspaceID))
    }

    func record(
        _ action: AuditAction,
        subject: String,
        detail: String,
        for member: ConsoleMember
    ) async throws {
        try await log.record(
            action.rawValue,
            subject,
            detail: detail,
            by: member.name,
            in: WorkspaceID(member.workspaceID)
        )
    }
}

extension AuditOrigin {
    fileprivate init(_ origin: AuditRecord.Origin) {
        switch origin {
        case .console: self = .console
        case .api: self = .api
        case .commandLine: self = .commandLine
        }
    }
}
