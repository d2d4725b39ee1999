import Campaigns
import Console
import Foundation
import JSON
import Liquid
import Model
import NoroshiWire
import Ports

/// Content blocks and catalogs, for the console.
struct ContentAdapter: ContentPages {
    let store: any Store
    let now: @Sendable () -> Date
    let makeID: @Sendable () -> UUID

    // MARK: Content blocks

    func blocks(for member: ConsoleMember) async throws -> [BlockRow] {
        let workspace = WorkspaceID(member.workspaceID)
        let uses = try await ContentUses(store: store, in: workspace)
        return uses.blocks.map { BlockRow($0, uses: uses.holders(ofBlock: $0.name).count) }
    }

    func block(id: String, for member: ConsoleMember) async throws -> BlockDetail? {
        let workspace = WorkspaceID(member.workspaceID)
        guard let id = UUID(uuidString: id),
            let block = try await store.contentBlock(id, in: workspace)
        else { return nil }
        let uses = try await ContentUses(store: store, in: workspace)
            .holders(ofBlock: block.name).map(ContentUse.init)
        return BlockDetail(
            row: BlockRow(block, uses: uses.count),
            content: block.content,
            tags: block.tags,
            uses: uses
        )
    }

    func save(_ draft: BlockDraft, id: String?, for member: ConsoleMember) async throws -> String {
        let workspace = WorkspaceID(member.workspaceID)
        try Self.check(draft)
        var known: ContentBlock?
        if let id = id.flatMap(UUID.init(uuidString:)) {
            known = try await store.contentBlock(id, in: workspace)
        }
        var block =
            known
            ?? ContentBlock(
                id: makeID(),
                workspace: workspace,
                name: draft.name,
                content: draft.content,
                createdAt: now(),
                updatedAt: now()
            )
        block.name = draft.name
        block.description = draft.description
        block.content = draft.content
        block.tags = draft.tags
        block.state = draft.isDraft ? .draft : .active
        block.updatedAt = now()
        do {
            if known == nil {
                try await store.createContentBlock(block)
            } else {
                _ = try await store.updateContentBlock(block)
            }
        } catch let error as StoreError where error.code == .exists {
            throw ContentRejected(field: "name", reason: .nameTaken)
        }
        return block.id.uuidString.lowercased()
    }

    private static func check(_ draft: BlockDraft) throws {
        if ContentBlockRule.problem(name: draft.name) != nil {
            throw ContentRejected(
                field: "name",
                reason: .name(limit: ContentBlockRule.nameLimit)
            )
        }
        if ContentBlockRule.problem(description: draft.description) != nil {
            throw ContentRejected(
                field: "description",
                reason: .tooLong(limit: ContentBlockRule.descriptionLimit)
            )
        }
        if ContentBlockRule.problem(content: draft.content) != nil {
            throw ContentRejected(
                field: "content",
                reason: .tooLong(limit: ContentBlockRule.contentLimit)
            )
        }
        do throws(LiquidError) {
            _ = try Template(parsing: draft.content, mode: .strict)
        } catch {
            throw ContentRejected(field: "content", reason: .liquid(error.text(withLines: true)))
        }
    }

    func deleteBlock(id: String, for member: ConsoleMember) async throws {
        guard let block = try await block(id: id, for: member),
            let id = UUID(uuidString: block.row.id)
        else { return }
        try Self.refuse(block.uses)
        _ = try await store.deleteContentBlock(id, in: WorkspaceID(member.workspaceID))
    }

    /// Messages that are made from it now would fail.
    private static func refuse(_ uses: [ContentUse]) throws {
        let active = uses.filter(\.isActive).map(\.name)
        if !active.isEmpty { throw ContentRejected(field: "", reason: .used(by: active)) }
    }

    // MARK: Catalogs

    func catalogs(for member: ConsoleMember) async throws -> [CatalogRow] {
        try await store.catalogs(in: WorkspaceID(member.workspaceID)).map(CatalogRow.init)
    }

    func catalog(
        named name: String,
        after id: String?,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> CatalogDetail? {
        let workspace = WorkspaceID(member.workspaceID)
        guard let catalog = try await store.catalog(named: name, in: workspace) else { return nil }
        let uses = try await ContentUses(store: store, in: workspace)
        return CatalogDetail(
            row: CatalogRow(catalog),
            fields: catalog.fields.dropFirst().compactMap { field in
                Console.CatalogField.Kind(rawValue: field.type.rawValue).map {
                    Console.CatalogField(name: field.name, kind: $0)
                }
            },
            items: try await store.catalogItems(
                after: id,
                limit: limit,
                in: name,
                of: workspace
            ).map(CatalogItemValues.init),
            selections: catalog.selections.map {
                CatalogSelectionRow(name: $0.name, description: $0.description)
            },
            uses: uses.holders(ofCatalog: name).map(ContentUse.init)
        )
    }

    func catalogItem(
        _ id: String,
        of catalog: String,
        for member: ConsoleMember
    ) async throws -> CatalogItemValues? {
        try await store.catalogItems([id], in: catalog, of: WorkspaceID(member.workspaceID))
            .first.map(CatalogItemValues.init)
    }

    func create(_ draft: CatalogDraft, for member: ConsoleMember) async throws {
        let workspace = WorkspaceID(member.workspaceID)
        let catalog = Catalog(
            workspace: workspace,
            name: draft.name,
            description: draft.description,
            fields: [Catalog.Field(name: "id", type: .string)]
                + draft.fields.compactMap { field in
                    Catalog.Field.Kind(rawValue: field.kind.rawValue).map {
                        Catalog.Field(name: field.name, type: $0)
                    }
                },
            updatedAt: now()
        )
        if CatalogRule.problem(name: catalog.name) != nil {
            throw ContentRejected(field: "name", reason: .name(limit: CatalogRule.nameLimit))
        }
        if Set(catalog.fields.map(\.name)).count < catalog.fields.count {
            throw ContentRejected(field: "fields", reason: .twice)
        }
        if CatalogRule.problem(fields: catalog.fields) != nil {
            throw ContentRejected(field: "fields", reason: .name(limit: CatalogRule.nameLimit))
        }
        guard try await store.catalogs(in: workspace).count < CatalogRule.catalogLimit else {
            throw ContentRejected(
                field: "name",
                reason: .tooMany(limit: CatalogRule.catalogLimit)
            )
        }
        do {
            try await store.createCatalog(catalog, now: now())
        } catch let error as StoreError where error.code == .exists {
            throw ContentRejected(field: "name", reason: .nameTaken)
        }
    }

    func save(
        _ item: CatalogItemValues,
        in name: String,
        for member: ConsoleMember
    ) async throws {
        let workspace = WorkspaceID(member.workspaceID)
        guard let catalog = try await store.catalog(named: name, in: workspace) else { return }
        if CatalogRule.problem(name: item.id) != nil {
            throw ContentRejected(field: "id", reason: .name(limit: CatalogRule.nameLimit))
        }
        var values: [String: JSONValue] = [:]
        for field in catalog.fields.dropFirst() {
            let text = item.values[field.name] ?? ""
            guard let value = field.type.value(of: text),
                CatalogRule.problem(value: value, of: field) == nil
            else {
                let kind = Console.CatalogField.Kind(rawValue: field.type.rawValue) ?? .string
                throw ContentRejected(field: field.name, reason: .kind(kind))
            }
            values[field.name] = value
        }
        _ = try await store.saveCatalogItems(
            [CatalogItem(id: item.id, values: values)],
            as: .replace,
            in: name,
            of: workspace,
            now: now()
        )
    }

    func deleteItem(_ id: String, of catalog: String, for member: ConsoleMember) async throws {
        _ = try await store.deleteCatalogItems(
            [id],
            in: catalog,
            of: WorkspaceID(member.workspaceID),
            now: now()
        )
    }

    func deleteCatalog(named name: String, for member: ConsoleMember) async throws {
        let workspace = WorkspaceID(member.workspaceID)
        let uses = try await ContentUses(store: store, in: workspace)
        try Self.refuse(uses.holders(ofCatalog: name).map(ContentUse.init))
        _ = try await store.deleteCatalog(named: name, in: workspace)
    }
}

extension ContentUse {
    fileprivate init(_ holder: ContentUses.Holder) {
        let kind: Kind =
            switch holder {
            case .campaign(let campaign): .campaign(id: campaign.id.rawValue)
            case .block(let block): .block(id: block.id.uuidString.lowercased())
            case .inAppMessage(let message): .inAppMessage(id: message.id.uuidString.lowercased())
            case .send(let send): .push(number: send.id.rawValue)
            }
        self.init(kind: kind, name: holder.name, isActive: holder.isActive)
    }
}

extension BlockRow {
    fileprivate init(_ block: ContentBlock, uses: Int) {
        self.init(
            id: block.id.uuidString.lowercased(),
            name: block.name,
            description: block.description,
            isDraft: block.state == .draft,
            changedAt: block.updatedAt,
            uses: uses
        )
    }
}

extension CatalogRow {
    fileprivate init(_ catalog: Catalog) {
        self.init(
            name: catalog.name,
            description: catalog.description,
            fields: catalog.fields.count,
            items: catalog.itemCount,
            changedAt: catalog.updatedAt
        )
    }
}

extension CatalogItemValues {
    fileprivate init(_ item: CatalogItem) {
        self.init(id: item.id, values: item.values.mapValues(\.formText))
    }
}

extension JSONValue {
    /// As a form shows it: texts without quotes, nothing for null.
    fileprivate var formText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        default: (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}

extension Catalog.Field.Kind {
    /// The value that a text of a form stands for; `nil` when it stands for none.
    fileprivate func value(of text: String) -> JSONValue? {
        if text.isEmpty { return .null }
        switch self {
        case .string, .time: return .string(text)
        case .number, .boolean, .object, .array: return try? JSONReader.read(Array(text.utf8))
        }
    }
}
