import Foundation
import Model
import NoroshiWire
import Ports
import Reasons

/// Reads and changes catalogs, their fields, selections and items.
///
/// Changes require the role of marketer, and each is one transaction with its audit record.
package struct CatalogService: Sendable {
    private let store: any CatalogStore & ContentUses.Source
    private let now: @Sendable () -> Date

    package init(store: any CatalogStore & ContentUses.Source, now: @escaping @Sendable () -> Date)
    {
        self.store = store
        self.now = now
    }

    // MARK: Catalogs

    package func catalogs(in workspace: WorkspaceID) async throws -> [Catalog] {
        try await store.catalogs(in: workspace)
    }

    /// - Throws: `CatalogError` if it does not exist.
    package func catalog(
        named name: String,
        in workspace: WorkspaceID
    ) async throws -> Catalog {
        guard let catalog = try await store.catalog(named: name, in: workspace) else {
            throw CatalogError.noCatalog(name)
        }
        return catalog
    }

    /// The objects with a text that names the catalog.
    package func holders(
        ofCatalog name: String,
        in workspace: WorkspaceID
    ) async throws -> [ContentUses.Holder] {
        try await ContentUses(store: store, in: workspace).holders(ofCatalog: name)
    }

    /// Creates an empty catalog.
    ///
    /// - Throws: `CatalogError`; `NotAllowedError` for members who are not marketers, as in all
    ///   methods that change a catalog.
    package func create(
        _ name: String,
        description: String,
        fields: [Catalog.Field],
        by actor: Actor
    ) async throws -> Catalog {
        try actor.require(.marketer)
        try CatalogCheck.catalog(named: name, description: description)
        try CatalogCheck.fields(ofNewCatalog: fields)
        guard try await store.catalogs(in: actor.workspace).count < CatalogValidator.catalogLimit
        else {
            throw CatalogError(
                .invalid,
                .reachedCompanyCatalogsLimit,
                .catalogCount,
                ["count": "\(CatalogValidator.catalogLimit)"],
                at: CatalogError.Parameter("name", .string(name))
            )
        }
        let now = now()
        let catalog = Catalog(
            workspace: actor.workspace,
            name: name,
            description: description,
            fields: fields,
            updatedAt: now
        )
        do {
            try await store.createCatalog(
                catalog,
                noting: record("catalog_created", name, by: actor),
                now: now
            )
        } catch let error as StoreError where error.code == .exists {
            throw CatalogError(
                .invalid,
                .catalogNameAlreadyExists,
                .catalogTaken,
                ["name": .text(name)],
                at: CatalogError.Parameter("name", .string(name))
            )
        }
        return catalog
    }

    /// Deletes a catalog with its items and selections.
    ///
    /// - Throws: `CatalogError` if it does not exist, or while active messages use it.
    package func delete(named name: String, by actor: Actor) async throws {
        try actor.require(.marketer)
        let holders = try await holders(ofCatalog: name, in: actor.workspace).filter(\.isActive)
        guard holders.isEmpty else { throw CatalogError.used(name, by: holders) }
        let isThere = try await store.deleteCatalog(
            named: name,
            in: actor.workspace,
            noting: record("catalog_deleted", name, by: actor)
        )
        guard isThere else { throw CatalogError.noCatalog(name) }
    }

    // MARK: Fields

    /// Adds fields; existing items have no values for them.
    ///
    /// - Throws: `CatalogError`.
    package func addFields(
        _ fields: [Catalog.Field],
        to catalog: String,
        by actor: Actor
    ) async throws {
        try actor.require(.marketer)
        try CatalogCheck.fields(added: fields)
        let names = fields.map(\.name).joined(separator: ", ")
        let outcome = try await store.addCatalogFields(
            fields,
            to: catalog,
            of: actor.workspace,
            limit: CatalogValidator.fieldLimit,
            noting: record("catalog_changed", catalog, "fields: +\(names)", by: actor),
            now: now()
        )
        switch outcome {
        case .changed, .needed, .unknown: return
        case .noCatalog: throw CatalogError.noCatalog(catalog)
        case .known(let names):
            throw CatalogError(
                .invalid,
                .fieldNamesNotUnique,
                Reason(CatalogReason.fieldsKnown, ["names": .text(names.joined(separator: ", "))]),
                at: names.map { CatalogError.Parameter("name", .string($0)) }
            )
        case .full:
            throw CatalogError(
                .invalid,
                .catalogExceedsFieldsLimit,
                .fieldCount,
                ["count": "\(CatalogValidator.fieldLimit)"],
                at: CatalogError.Parameter("fields", .integer(Int64(fields.count)))
            )
        }
    }

    /// Removes a field and its values from the items.
    ///
    /// - Throws: `CatalogError` if it does not exist, or a selection uses it.
    package func removeField(
        _ field: String,
        from catalog: String,
        by actor: Actor
    ) async throws {
        try actor.require(.marketer)
        let parameter = CatalogError.Parameter("field_name", .string(field))
        guard field != "id" else {
            throw CatalogError(.invalid, .invalidFieldName, .itemNeedsID, at: parameter)
        }
        let outcome = try await store.removeCatalogField(
            field,
            from: catalog,
            of: actor.workspace,
            noting: record("catalog_changed", catalog, "fields: -\(field)", by: actor),
            now: now()
        )
        switch outcome {
        case .changed, .full, .known: return
        case .noCatalog: throw CatalogError.noCatalog(catalog)
        case .unknown:
            throw CatalogError(
                .unknown,
                .invalidFieldName,
                .noFieldNamed,
                ["name": .text(field)],
                at: parameter
            )
        case .needed(let selections):
            throw CatalogError(
                .invalid,
                .fieldReferencedBySelection,
                .fieldNeeded,
                ["names": .text(selections.joined(separator: ", "))],
                at: parameter
            )
        }
    }

    // MARK: Selections

    /// Adds a selection.
    ///
    /// - Throws: `CatalogError`.
    package func addSelection(
        _ selection: CatalogSelection,
        to name: String,
        by actor: Actor
    ) async throws {
        try actor.require(.marketer)
        let catalog = try await catalog(named: name, in: actor.workspace)
        try CatalogCheck.selection(selection, of: catalog)
        let outcome = try await store.addCatalogSelection(
            selection,
            to: name,
            of: actor.workspace,
            limit: CatalogValidator.selectionLimit,
            noting: record("catalog_changed", name, "selections: +\(selection.name)", by: actor),
            now: now()
        )
        let parameter = CatalogError.Parameter("selection_name", .string(selection.name))
        switch outcome {
        case .changed, .needed: return
        case .noCatalog: throw CatalogError.noCatalog(name)
        case .known:
            throw CatalogError(
                .invalid,
                .selectionNameAlreadyExists,
                .selectionTaken,
                ["name": .text(selection.name)],
                at: parameter
            )
        case .unknown(let fields):
            throw CatalogError(
                .invalid,
                .selectionHasInvalidFilter,
                Reason(CatalogReason.noFields, ["names": .text(fields.joined(separator: ", "))]),
                at: fields.map { CatalogError.Parameter("field", .string($0)) }
            )
        case .full:
            throw CatalogError(
                .invalid,
                .selectionLimitReached,
                .selectionCount,
                ["count": "\(CatalogValidator.selectionLimit)"],
                at: parameter
            )
        }
    }

    /// - Throws: `CatalogError` if it does not exist.
    package func removeSelection(
        named selection: String,
        from catalog: String,
        by actor: Actor
    ) async throws {
        try actor.require(.marketer)
        let outcome = try await store.removeCatalogSelection(
            named: selection,
            from: catalog,
            of: actor.workspace,
            noting: record("catalog_changed", catalog, "selections: -\(selection)", by: actor),
            now: now()
        )
        switch outcome {
        case .changed, .known, .full, .needed: return
        case .noCatalog: throw CatalogError.noCatalog(catalog)
        case .unknown:
            throw CatalogError(
                .unknown,
                .selectionNotFound,
                .noSelection,
                ["name": .text(selection)],
                at: CatalogError.Parameter("selection_name", .string(selection))
            )
        }
    }

    // MARK: Items

    /// Stores items according to `change`, all of them or none.
    ///
    /// - Throws: `CatalogError`.
    package func save(
        _ items: [CatalogItem],
        as change: CatalogItemChange,
        in name: String,
        by actor: Actor
    ) async throws {
        try actor.require(.marketer)
        let catalog = try await catalog(named: name, in: actor.workspace)
        try CatalogCheck.items(items, of: catalog)
        let refused = try await store.saveCatalogItems(
            items,
            as: change,
            in: name,
            of: actor.workspace,
            noting: record("catalog_item_saved", name, Self.list(items.map(\.id)), by: actor),
            now: now()
        )
        guard !refused.isEmpty else { return }
        let names = refused.map { "'\($0)'" }.joined(separator: ", ")
        let parameters = refused.map { CatalogError.Parameter("id", .string($0)) }
        throw change == .add
            ? CatalogError(
                .exists,
                .itemAlreadyExists,
                Reason(CatalogReason.itemsKnown, ["names": .text(names)]),
                at: parameters
            )
            : CatalogError(
                .unknown,
                .itemNotFound,
                Reason(CatalogReason.noItems, ["names": .text(names)]),
                at: parameters
            )
    }

    /// The items of a page, in ascending order of their ids.
    ///
    /// - Throws: `CatalogError` if the catalog does not exist.
    package func items(
        after id: String?,
        limit: Int,
        in name: String,
        of workspace: WorkspaceID
    ) async throws -> [CatalogItem] {
        _ = try await catalog(named: name, in: workspace)
        return try await store.catalogItems(after: id, limit: limit, in: name, of: workspace)
    }

    /// - Throws: `CatalogError` if it does not exist.
    package func item(
        _ id: String,
        in name: String,
        of workspace: WorkspaceID
    ) async throws -> CatalogItem {
        _ = try await catalog(named: name, in: workspace)
        let items = try await store.catalogItems([id], in: name, of: workspace)
        guard let item = items.first else { throw Self.noItem(id) }
        return item
    }

    /// Deletes an item.
    ///
    /// - Throws: `CatalogError` if it does not exist.
    package func deleteItem(
        _ id: String,
        in name: String,
        by actor: Actor
    ) async throws {
        guard try await deleteItems([id], in: name, by: actor) > 0 else {
            throw Self.noItem(id)
        }
    }

    /// Deletes the existing items with these ids and returns their number.
    ///
    /// - Throws: `CatalogError` if the catalog does not exist.
    @discardableResult
    package func deleteItems(
        _ ids: [String],
        in name: String,
        by actor: Actor
    ) async throws -> Int {
        try actor.require(.marketer)
        _ = try await catalog(named: name, in: actor.workspace)
        return try await store.deleteCatalogItems(
            ids,
            in: name,
            of: actor.workspace,
            noting: record("catalog_item_deleted", name, Self.list(ids), by: actor),
            now: now()
        )
    }

    // MARK: Parts

    private static func list(_ ids: [String]) -> String { ids.joined(separator: ", ") }

    private func record(
        _ action: String,
        _ catalog: String,
        _ detail: String = "",
        by actor: Actor
    ) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: catalog, detail: detail)
    }

    private static func noItem(_ id: String) -> CatalogError {
        CatalogError(
            .unknown,
            .itemNotFound,
            .noItem,
            ["item": .text(id)],
            at: CatalogError.Parameter("item_id", .string(id))
        )
    }
}
