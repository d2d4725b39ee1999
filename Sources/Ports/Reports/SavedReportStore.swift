import Foundation
import Model

/// Reports that members have saved, and their weekly delivery.
package protocol SavedReportStore: Sendable {
    /// By name.
    func savedReports(in workspace: WorkspaceID) async throws -> [SavedReport]
    func savedReport(_ id: UUID, in workspace: WorkspaceID) async throws -> SavedReport?
    /// Makes a report, or replaces the content and the delivery of the one with its identifier.
    ///
    /// - Throws: `StoreError` with code `exists` if another report has the name.
    func saveReport(_ report: SavedReport, noting audit: AuditRecord?) async throws
    /// - Returns: `false` if there is no such report.
    func deleteReport(
        _ id: UUID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool
    /// Takes the reports that are to be sent now: until `leaseEnd` nobody else gets them. None while
    /// sending is held.
    func claimDueReports(limit: Int, now: Date, leaseEnd: Date) async throws -> [SavedReport]
    /// Notes what came of an attempt, unless the report was changed since it was taken.
    func recordDelivery(
        _ delivery: SavedReport.Delivery,
        of report: SavedReport
    ) async throws
}
