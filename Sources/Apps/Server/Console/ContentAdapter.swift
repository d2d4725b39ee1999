import Console
import Content
import Foundation
import JSON
import Liquid
import Model
import NoroshiWire
import Ports

/// Content blocks and catalogs, for the console.
struct ContentAdapter: ContentPages {
    let content: ContentBlockService
    let catalogs: CatalogService

    // MARK: Content blocks

    func blocks(for member: ConsoleMember) async throws -> [BlockRow] {
        let workspace = WorkspaceID(member.workspaceID)
        let uses = try await content.uses(in: workspace)
        return uses.blocks.map { BlockRow($0, uses: uses.holders(ofBlock: $0.name).count) }
    }

    func block(id: String, for member: ConsoleMember) async throws -> BlockDetail? {
        let workspace = WorkspaceID(member.workspaceID)
        guard let id = UUID(uuidString: id),
            let block = try await content.block(id, in: workspace)
        else { return nil }
        let uses = try await content.uses(in: workspace)
            .holders(ofBlock: block.name).map(ContentUse.init)
        return BlockDetail(
            row: BlockRow(block, uses: uses.count),
            content: block.content,
            tags: block.tags,
            uses: uses
        )
    }

    func save(_ draft: BlockDraft, id: String?, for member: ConsoleMember) async throws -> String {
        func write(_ block: inout ContentBlock) {
            block.name = draft.name
            block.description = draft.description
            block.content = draft.content
            block.tags = draft.tags
            block.state = draft.isDraft ? .draft : .active
        }
        do {
            if let id = id.flatMap(UUID.init(uuidString:)),
                let block = try await content.change(id, by: member.actor, write)
            {
                return block.id.uuidString.lowercased()
            }
            return try await content.create(by: member.actor, write).id.uuidString.lowercased()
        } catch let error as ContentBlockError {
            throw ContentRejected(error)
        }
    }

    func deleteBlock(id: String, for member: ConsoleMember) async throws {
        guard let id = UUID(uuidString: id) else { return }
        do {
            _ = try await content.delete(id, by: member.actor)
        } catch let error as ContentBlockError {
            throw ContentRejected(error)
        }
    }

    // MARK: Catalogs

    func catalogs(for member: ConsoleMember) async throws -> [CatalogRow] {
        try await catalogs.catalogs(in: WorkspaceID(member.workspaceID)).map(CatalogRow.init)
    }

    func catalog(
        named name: String,
        after id: String?,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> CatalogDetail? {
        let workspace = WorkspaceID(member.workspaceID)
        guard let catalog = try await known(name, workspace) else { return nil }
        return CatalogDetail(
            row: CatalogRow(catalog),
            fields: catalog.fields.dropFirst().compactMap { field in
                Console.CatalogField.Kind(rawValue: field.type.rawValue).map {
                    Console.CatalogField(name: field.name, kind: $0)
                }
            },
            items: try await catalogs.items(
                after: id,
                limit: limit,
                in: name,
                of: workspace
            ).map(CatalogItemValues.init),
            selections: catalog.selections.map {
                CatalogSelectionRow(name: $0.name, description: $0.description)
            },
            uses: try await catalogs.holders(ofCatalog: name, in: workspace)
                .map(ContentUse.init)
        )
    }

    private func known(_ name: String, _ workspace: WorkspaceID) async throws -> Catalog? {
        do {
            return try await catalogs.catalog(named: name, in: workspace)
        } catch let refusal as CatalogRefusal where refusal.kind == .unknown {
            return nil
        }
    }

    func catalogItem(
        _ id: String,
        of catalog: String,
        for member: ConsoleMember
    ) async throws -> CatalogItemValues? {
        do {
            return CatalogItemValues(
                try await catalogs.item(id, in: catalog, of: WorkspaceID(member.workspaceID))
            )
        } catch let refusal as CatalogRefusal where refusal.kind == .unknown {
            return nil
        }
    }

    func create(_ draft: CatalogDraft, for member: ConsoleMember) async throws {
        do {
            _ = try await catalogs.create(
                draft.name,
                description: draft.description,
                fields: [Catalog.Field(name: "id", type: .string)]
                    + draft.fields.compactMap { field in
                        Catalog.Field.Kind(rawValue: field.kind.rawValue).map {
                            Catalog.Field(name: field.name, type: $0)
                        }
                    },
                by: member.actor
            )
        } catch let refusal as CatalogRefusal {
            throw ContentRejected(refusal)
        }
    }

    func save(
        _ item: CatalogItemValues,
        in name: String,
        for member: ConsoleMember
    ) async throws {
        guard let catalog = try await known(name, WorkspaceID(member.workspaceID)) else { return }
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
        do {
            try await catalogs.save(
                [CatalogItem(id: item.id, values: values)],
                as: .replace,
                in: name,
                by: member.actor
            )
        } catch let refusal as CatalogRefusal {
            throw ContentRejected(refusal)
        }
    }

    func deleteItem(_ id: String, of catalog: String, for member: ConsoleMember) async throws {
        do {
            try await catalogs.deleteItems([id], in: catalog, by: member.actor)
        } catch let refusal as CatalogRefusal where refusal.kind == .unknown {
            return
        }
    }

    func deleteCatalog(named name: String, for member: ConsoleMember) async throws {
        do {
            try await catalogs.delete(named: name, by: member.actor)
        } catch let refusal as CatalogRefusal {
            if refusal.kind == .unknown { return }
            throw ContentRejected(refusal)
        }
    }
}

extension ContentRejected {
    fileprivate init(_ error: ContentBlockError) {
        let reason: Reason =
            switch error {
            case .name: .name(limit: ContentBlockRule.nameLimit)
            case .nameTaken: .nameTaken
            case .descriptionTooLong: .tooLong(limit: ContentBlockRule.descriptionLimit)
            case .contentTooLong: .tooLong(limit: ContentBlockRule.contentLimit)
            case .tooManyTags: .tooMany(limit: ContentBlockRule.tagLimit)
            case .liquid(let error): .liquid(error.text(withLines: true))
            case .used(let holders): .used(by: holders.map(\.name))
            }
        self.init(field: error.field ?? "", reason: reason)
    }

    fileprivate init(_ refusal: CatalogRefusal) {
        switch refusal.id {
        case "catalog-name-too-large", "invalid-catalog-name":
            self.init(field: "name", reason: .name(limit: CatalogRule.nameLimit))
        case "catalog-name-already-exists": self.init(field: "name", reason: .nameTaken)
        case "reached-company-catalogs-limit":
            self.init(field: "name", reason: .tooMany(limit: CatalogRule.catalogLimit))
        case "description-too-long":
            self.init(
                field: "description",
                reason: .tooLong(limit: CatalogRule.descriptionLimit)
            )
        case "too-many-fields":
            self.init(field: "fields", reason: .tooMany(limit: CatalogRule.fieldLimit))
        case "field-names-not-unique": self.init(field: "fields", reason: .twice)
        case "field-names-too-large", "invalid-field-names":
            self.init(field: "fields", reason: .name(limit: CatalogRule.nameLimit))
        case "ids-too-large", "invalid-ids":
            self.init(field: "id", reason: .name(limit: CatalogRule.nameLimit))
        case "items-too-large":
            self.init(field: "id", reason: .tooLong(limit: CatalogRule.itemBytes))
        default: self.init(field: "", reason: .used(by: refusal.holders.map(\.name)))
        }
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
