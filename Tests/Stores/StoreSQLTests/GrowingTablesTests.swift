import Foundation
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

/// A server that runs for years must not fill its disk with rows that nobody decided to keep. A new
/// table needs a line here and, where it grows, one in docs/operating.md.
@Suite("Tables that grow")
struct GrowingTablesTests {
    private enum Reason {
        /// Removed when older than the workspace keeps it.
        case period
        /// The same, with sums that stay; what figures are counted from stays anyway.
        case periodOfSome
        /// Figures, or rules such as caps and "once for each person", are counted from the rows.
        case counted
        /// A row leaves when it has served or expired, at the latest with the next of its kind.
        case expires
        /// As many rows as users and devices, whose deletion removes them.
        case people
        /// As many rows as members write or set up, or a bounded number of each.
        case written
        /// One row for each day, name or send: sums of many rows.
        case sums
        /// A fixed number of rows.
        case fixed
    }

    private static let tables: [String: Reason] = [
        "seen_records": .period, "audit_log": .period,

        "events": .periodOfSome, "removed_activity": .people,
        "recently_removed_activity": .people, "user_event_blocks": .periodOfSome,
        "user_event_places": .periodOfSome, "removed_counts": .sums,
        "event_names": .sums, "user_sessions": .periodOfSome, "removed_sessions": .people,
        "removed_active_users": .sums, "removed_active_spans": .sums,
        "push_interactions": .periodOfSome, "in_app_message_interactions": .periodOfSome,
        "removed_in_app_subjects": .sums, "removed_in_app_reports": .people,
        "removed_in_app_counts": .sums, "removed_push_subjects": .sums,
        "removed_push_reports": .people, "removed_push_arrivals": .counted,
        "dispatches": .periodOfSome, "closed_ledgers": .sums,
        "removed_dispatch_counts": .sums, "removed_dispatches": .people,
        "removed_recipients": .counted, "removed_variant_counts": .sums,
        "removed_open_delays": .sums,
        "campaign_entries": .counted, "withheld_messages": .counted,
        "news_reads": .counted, "journey_entries": .counted, "journey_passages": .counted,
        "journey_calls": .counted, "journey_grants": .counted,
        // Those who read facts begin with the first one.
        "fact_log": .counted, "fact_spans": .counted,

        "sends": .sums, "send_counts": .sums, "send_receipts": .sums, "send_exclusions": .sums,
        "campaign_occurrences": .sums, "daily_counts": .sums, "daily_active_users": .sums,
        "segment_sizes": .sums, "figures_since": .sums,

        "send_recipients": .expires, "send_properties": .expires, "pending_triggers": .expires,
        "dispatch_leases": .expires, "changed_quarters": .expires, "profile_changes": .expires,
        "request_keys": .expires, "journey_request_keys": .expires, "journey_requests": .expires,
        "console_sessions": .expires, "sign_in_steps": .expires, "sign_in_attempts": .expires,
        "password_links": .expires, "export_links": .expires, "form_drafts": .expires,
        "sync_jobs": .expires, "openid_attempts": .expires, "send_blocks": .expires,
        "shared_changes": .expires, "rehearsals": .expires,

        "profiles": .people, "aliases": .people, "devices": .people, "push_tokens": .sums,
        "former_external_ids": .people, "former_anonymous_ids": .people,
        "user_list_members": .people, "journey_members": .people,
        "merged_users": .people,

        "workspaces": .written, "apps": .written, "credentials": .written, "api_keys": .written,
        "members": .written, "memberships": .written, "second_factors": .written,
        "recovery_codes": .written,
        "passkeys": .written, "secrets": .written, "campaigns": .written,
        "campaign_variants": .written, "launch_contents": .written,
        "campaign_tracking_ids": .written, "news": .written,
        "segments": .written, "user_lists": .written, "blocked_names": .written,
        "content_blocks": .written, "catalogs": .written, "catalog_items": .written,
        "catalog_selections": .written, "subscription_groups": .written,
        "preference_centers": .written, "in_app_messages": .written, "in_app_variants": .written,
        "journeys": .written, "journey_versions": .written, "journey_steps": .written,
        "journey_messages": .written, "journey_schedules": .written, "saved_reports": .written,
        "fact_webhooks": .written, "openid_providers": .written, "openid_identities": .written,
        "removed_members": .written,
        "workspace_limits": .written, "set_aside_rows": .written, "folder_files": .written,

        "daily_count_marks": .fixed, "fact_streams": .fixed, "retention_progress": .fixed,
        "retired_ids": .fixed, "trigger_cursor": .fixed, "closed_lanes": .fixed,
        "sign_in_figures": .fixed,
        "sending_hold": .fixed, "store_probe": .fixed, "secret_key": .fixed, "servers": .fixed,
    ]

    @Test("each table says why its rows stay, or when they leave", .aboutFiles)
    func complete() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let found = try await store.pool.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
                    """
            )
        }
        #expect(Set(found).subtracting(Self.tables.keys).sorted() == [])
        #expect(Set(Self.tables.keys).subtracting(found).sorted() == [])
    }

    @Test("what is removed by a period is what has one, and is documented")
    func periods() throws {
        let kept = Self.tables.filter { $0.value == .period }.keys
        #expect(kept.sorted() == RetainedTable.all.map(\.name).sorted())
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let document = try String(
            contentsOf: root.appending(path: "docs/operating.md"),
            encoding: .utf8
        )
        for (table, reason) in Self.tables
        where [.period, .periodOfSome, .counted].contains(reason) {
            #expect(document.contains("`\(table)`"), "\(table)")
        }
    }
}
