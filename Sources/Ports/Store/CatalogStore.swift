import Foundation
import Model

/// Catalogs and their items.
package protocol CatalogStore: Sendable {
    /// - Throws: `StoreError` with code `exists` when the workspace has one of this name.
    func createCatalog(_ catalog: Catalog, now: Date) async throws
    /// By name.
    func catalogs(in workspace: WorkspaceID) async throws -> [Catalog]
    func catalog(named name: String, in workspace: WorkspaceID) async throws -> Catalog?
    /// Deletes a catalog with its items. Whether there was one.
    func deleteCatalog(named name: String, in workspace: WorkspaceID) async throws -> Bool

    /// Stores items as `change` says and returns the ids it left alone: those that exist when new
    /// ones are added, those that do not when known ones are edited. Nothing is stored when the
    /// result is not empty.
    func saveCatalogItems(
        _ items: [CatalogItem],
        as change: CatalogItemChange,
        in catalog: String,
        of workspace: WorkspaceID,
        now: Date
    ) async throws -> [String]
    /// Deletes items and returns how many there were.
    func deleteCatalogItems(
        _ ids: [String],
        in catalog: String,
        of workspace: WorkspaceID,
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

/// What is done with items.
package enum CatalogItemChange: Sendable, Hashable {
    /// New items only.
    case add
    /// Whole items; those that are missing are made.
    case replace
    /// The given fields of known items.
    case edit
}
