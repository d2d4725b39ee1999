import Foundation
import Model

/// Catalogs and their items. Each change is one transaction with its audit record.
package protocol CatalogStore: Sendable {
    /// - Throws: `StoreError` with code `exists` when the workspace has one of this name.
    func createCatalog(_ catalog: Catalog, noting audit: AuditRecord?, now: Date) async throws
    /// By name, with their selections.
    func catalogs(in workspace: WorkspaceID) async throws -> [Catalog]
    func catalog(named name: String, in workspace: WorkspaceID) async throws -> Catalog?
    /// Deletes a catalog with its items and selections. Whether there was one.
    func deleteCatalog(named name: String, in workspace: WorkspaceID, noting audit: AuditRecord?)
        async throws -> Bool
    /// Adds fields behind those that are there; the items have no values for them yet. Refused are
    /// names that are taken, and more than `limit` fields in all.
    func addCatalogFields(
        _ fields: [Catalog.Field],
        to catalog: String,
        of workspace: WorkspaceID,
        limit: Int,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome
    /// Removes a field and its values from all items. Refused is one that a selection needs.
    func removeCatalogField(
        _ field: String,
        from catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome
    /// Adds a selection. Refused are a name that is taken, fields that the catalog does not have,
    /// and more than `limit` selections in all.
    func addCatalogSelection(
        _ selection: CatalogSelection,
        to catalog: String,
        of workspace: WorkspaceID,
        limit: Int,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome
    /// Whether the catalog had a selection of this name.
    func removeCatalogSelection(
        named name: String,
        from catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome

    /// Stores items as `change` says and returns the ids it left alone: those that exist when new
    /// ones are added, those that do not when known ones are edited. Nothing is stored when the
    /// result is not empty. Values of fields that the catalog does not have are left out.
    func saveCatalogItems(
        _ items: [CatalogItem],
        as change: CatalogItemChange,
        in catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> [String]
    /// Deletes items and returns how many there were.
    func deleteCatalogItems(
        _ ids: [String],
        in catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Int
    /// The items of these ids that exist, in the order of the ids.
    func catalogItems(_ ids: [String], in catalog: String, of workspace: WorkspaceID) async throws
        -> [CatalogItem]
    /// Items by id, those after `id`.
    func catalogItems(
        after id: String?,
        limit: Int,
        in catalog: String,
        of workspace: WorkspaceID
    ) async throws -> [CatalogItem]
}
