import Console
import Foundation

/// Content blocks and catalogs kept in memory; Liquid counts as readable when its tags close.
package actor SampleContent: ContentPages {
    private var kept: [String: BlockDraft] = [:]
    private var tables: [String: CatalogDraft] = [:]
    private var items: [String: [CatalogItemValues]] = [:]
    private let now: Date

    package init(size: SampleSize, now: Date) {
        self.now = now
        guard size != .empty else { return }
        var hours = BlockDraft()
        hours.name = "opening_hours"
        hours.description = "All shops but Osaka"
        hours.content = "Open from 8 to 20.{% if ${language} == 'ja' %} 火曜定休{% endif %}"
        kept["b-1"] = hours
        var menu = CatalogDraft()
        menu.name = "menu"
        menu.description = "What the shops sell"
        menu.fields = [
            CatalogField(name: "name", kind: .string), CatalogField(name: "price", kind: .number),
            CatalogField(name: "sizes", kind: .array),
        ]
        tables["menu"] = menu
        items["menu"] = [
            CatalogItemValues(
                id: "latte",
                values: ["name": "抹茶ラテ", "price": "540", "sizes": "[\"S\",\"L\"]"]
            ),
            CatalogItemValues(id: "sencha", values: ["name": "煎茶", "price": "380"]),
        ]
    }

    package func blocks(for member: ConsoleMember) async throws -> [BlockRow] {
        kept.map { row($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    private func row(_ id: String, _ draft: BlockDraft) -> BlockRow {
        BlockRow(
            id: id,
            name: draft.name,
            description: draft.description,
            isDraft: draft.isDraft,
            changedAt: now.addingTimeInterval(-86_400),
            uses: uses(id).count
        )
    }

    private func uses(_ id: String) -> [ContentUse] {
        id == "b-1"
            ? [ContentUse(kind: .campaign(id: 2), name: "Cart reminder", isActive: true)] : []
    }

    package func block(id: String, for member: ConsoleMember) async throws -> BlockDetail? {
        kept[id].map {
            BlockDetail(row: row(id, $0), content: $0.content, tags: $0.tags, uses: uses(id))
        }
    }

    package func save(
        _ draft: BlockDraft,
        id: String?,
        for member: ConsoleMember
    ) async throws -> String {
        if kept.contains(where: { $0.value.name == draft.name && $0.key != id }) {
            throw ContentRejected(field: "name", reason: .nameTaken)
        }
        let isClosed =
            draft.content.components(separatedBy: "{%").count
            == draft.content.components(separatedBy: "%}").count
        if !isClosed {
            throw ContentRejected(
                field: "content",
                reason: .liquid("line 1, column 1: the tag is not closed")
            )
        }
        let id = id ?? "b-\(kept.count + 1)"
        kept[id] = draft
        return id
    }

    package func deleteBlock(id: String, for member: ConsoleMember) async throws {
        let names = uses(id).map(\.name)
        if !names.isEmpty { throw ContentRejected(field: "", reason: .used(by: names)) }
        kept[id] = nil
    }

    package func catalogs(for member: ConsoleMember) async throws -> [CatalogRow] {
        tables.values.map(row).sorted { $0.name < $1.name }
    }

    private func row(_ draft: CatalogDraft) -> CatalogRow {
        CatalogRow(
            name: draft.name,
            description: draft.description,
            fields: draft.fields.count + 1,
            items: items[draft.name]?.count ?? 0,
            changedAt: now.addingTimeInterval(-3600)
        )
    }

    package func catalog(
        named name: String,
        after id: String?,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> CatalogDetail? {
        tables[name].map { draft in
            let rest = (items[name] ?? []).sorted { $0.id < $1.id }
                .filter { item in id.map { item.id > $0 } ?? true }
            return CatalogDetail(
                row: row(draft),
                fields: draft.fields,
                items: Array(rest.prefix(limit)),
                selections: [
                    CatalogSelectionRow(name: "favorites", description: "What sells best")
                ],
                uses: []
            )
        }
    }

    package func catalogItem(
        _ id: String,
        of catalog: String,
        for member: ConsoleMember
    ) async throws -> CatalogItemValues? {
        items[catalog]?.first { $0.id == id }
    }

    package func create(_ draft: CatalogDraft, for member: ConsoleMember) async throws {
        guard tables[draft.name] == nil else {
            throw ContentRejected(field: "name", reason: .nameTaken)
        }
        tables[draft.name] = draft
    }

    package func save(
        _ item: CatalogItemValues,
        in catalog: String,
        for member: ConsoleMember
    ) async throws {
        for field in tables[catalog]?.fields ?? [] where field.kind == .number {
            let text = item.values[field.name] ?? ""
            if !text.isEmpty, Double(text) == nil {
                throw ContentRejected(field: field.name, reason: .kind(.number))
            }
        }
        items[catalog, default: []].removeAll { $0.id == item.id }
        items[catalog, default: []].append(item)
    }

    package func deleteItem(
        _ id: String,
        of catalog: String,
        for member: ConsoleMember
    ) async throws {
        items[catalog]?.removeAll { $0.id == id }
    }

    package func deleteCatalog(named name: String, for member: ConsoleMember) async throws {
        tables[name] = nil
    }
}
