import Foundation
import Model

/// Catalogs and their items. Each change is one transaction with its audit record.
package protocol CatalogStore: Sendable {
    /// - Throws: `StoreError` with code `exists` if the workspace has one with this name.
    func createCatalog(_ catalog: Catalog, noting audit: AuditRecord?, now: Date) async throws
    /// By name, with their selections.
    func catalogs(in workspace: WorkspaceID) async throws -> [Catalog]
    func catalog(named name: String, in workspace: WorkspaceID) async throws -> Catalog?
    /// Deletes a catalog with its items and selections.
    ///
    /// - Returns: `false` if it did not exist.
    func deleteCatalog(named name: String, in workspace: WorkspaceID, noting audit: AuditRecord?)
        async throws -> Bool
    /// Adds fields after the existing ones; the items have no values for them yet. Rejects names
    /// that are taken, and more than `limit` fields in total.
    func addCatalogFields(
        _ fields: [Catalog.Field],
        to catalog: String,
        of workspace: WorkspaceID,
        limit: Int,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome
    /// Removes a field and its values from all items. Rejects a field that a selection uses.
    func removeCatalogField(
        _ field: String,
        from catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome
    /// Adds a selection. Rejects a name that is taken, fields that the catalog does not have, and
    /// more than `limit` selections in total.
    func addCatalogSelection(
        _ selection: CatalogSelection,
        to catalog: String,
        of workspace: WorkspaceID,
        limit: Int,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome
    /// - Returns: `false` if the catalog had no selection with this name.
    func removeCatalogSelection(
        named name: String,
        from catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> CatalogChangeOutcome

    /// Stores items according to `change` and returns the ids that conflict with it: existing ones
    /// when items are added, missing ones when items are edited. If there are any, nothing is
    /// stored. Values of fields that the catalog does not have are left out.
    func saveCatalogItems(
        _ items: [CatalogItem],
        as change: CatalogItemChange,
        in catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> [String]
    /// Deletes items and returns how many existed.
    func deleteCatalogItems(
        _ ids: [String],
        in catalog: String,
        of workspace: WorkspaceID,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Int
    /// The existing items with these ids, in the order of the ids.
    func catalogItems(_ ids: [String], in catalog: String, of workspace: WorkspaceID) async throws
        -> [CatalogItem]
    /// Items after `id`, in ascending order of their ids.
    func catalogItems(
        after id: String?,
        limit: Int,
        in catalog: String,
        of workspace: WorkspaceID
    ) async throws -> [CatalogItem]
}
