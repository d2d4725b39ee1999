import Foundation
import Model
import WebPages

/// The list of catalogs, with the form for a new one.
struct CatalogsPage {
    struct Row {
        let address: String
        let name: String
        let description: String
        let fields: String
        let items: String
        let changed: Moment
    }

    struct Field {
        let name: String
        let kinds: [SettingsChoice]
        let position: Int
    }

    let tabs: [ContentTabs.Tab]
    let rows: [Row]
    let isEmpty: Bool
    let name: FormField
    let description: String
    let fields: [Field]
    let fieldsFault: String?
    let action: String
    let isAdding: Bool
    let mayWrite: Bool

    init(
        _ catalogs: [CatalogRow],
        draft: CatalogDraft,
        rejected: ContentRejected?,
        visit: Visit
    ) {
        let words = visit.words
        tabs = ContentTabs(current: .catalogs, words).tabs
        rows = catalogs.map { catalog in
            Row(
                address: ConsolePath.catalog(catalog.name).path,
                name: catalog.name,
                description: catalog.description,
                fields: words.number(catalog.fields),
                items: words.number(catalog.items),
                changed: visit.moment(catalog.changedAt)
            )
        }
        isEmpty = rows.isEmpty
        let fault = rejected?.text(words)
        name = FormField(value: draft.name, fault: rejected?.field == "name" ? fault : nil)
        description = draft.description
        let blank = CatalogField(name: "", kind: .string)
        fields = (draft.fields.isEmpty ? [blank] : draft.fields).enumerated().map { index, field in
            Field(
                name: field.name,
                kinds: CatalogField.Kind.allCases.map {
                    SettingsChoice(
                        value: $0.rawValue,
                        label: words($0.wordKey),
                        isChosen: $0 == field.kind
                    )
                },
                position: index + 1
            )
        }
        fieldsFault = rejected?.field == "fields" ? fault : nil
        action = ConsolePath.catalogs.path
        mayWrite = visit.may(.marketer)
        isAdding = rejected != nil || isEmpty
    }
}

/// One catalog: its items, the form for one of them, and what uses it.
struct CatalogPage {
    struct Field {
        let name: String
        let kind: String
        let value: String
        let fault: String?
        let isLong: Bool
    }

    struct Item {
        let id: String
        let values: [String]
        let editAddress: String
        let deleteAddress: String
        let deleteQuestion: String
    }

    struct Selection {
        let tag: String
        let description: String
    }

    let name: String
    let description: String?
    let tag: String
    let selections: [Selection]
    let hasSelections: Bool
    let columns: [String]
    let items: [Item]
    let isEmpty: Bool
    let countText: String
    let nextAddress: String?
    let id: FormField
    let fields: [Field]
    let isEditing: Bool
    let uses: [ContentUseLink]
    let isUsed: Bool
    let problem: String?
    let itemAction: String
    let listAddress: String
    let deleteAddress: String?
    let deleteQuestion: String
    let mayWrite: Bool

    init(
        _ detail: CatalogDetail,
        hasMore: Bool,
        item: CatalogItemValues?,
        rejected: ContentRejected?,
        visit: Visit
    ) {
        let words = visit.words
        let catalog = detail.row
        func fault(_ field: String) -> String? {
            rejected.flatMap { $0.field == field ? $0.text(words) : nil }
        }
        name = catalog.name
        description = catalog.description.isEmpty ? nil : catalog.description
        tag = "{% catalog_items \(catalog.name) … %}"
        selections = detail.selections.map {
            Selection(
                tag: "{% catalog_selection_items \(catalog.name) \($0.name) %}",
                description: $0.description
            )
        }
        hasSelections = !selections.isEmpty
        columns = detail.fields.map(\.name)
        items = detail.items.map { item in
            Item(
                id: item.id,
                values: detail.fields.map { item.values[$0.name] ?? "–" },
                editAddress: ConsolePath.catalog(catalog.name).query(
                    FormFields([("item", item.id)])
                ) + "#item",
                deleteAddress: ConsolePath.deleteCatalogItem(catalog.name, item.id).path,
                deleteQuestion: words("catalogs.item_delete_confirm", ["name": item.id])
            )
        }
        isEmpty = items.isEmpty
        countText = words.counted("catalogs.items", catalog.items)
        nextAddress =
            hasMore
            ? detail.items.last.map {
                ConsolePath.catalog(catalog.name).query(FormFields([("after", $0.id)]))
            } : nil
        id = FormField(value: item?.id ?? "", fault: fault("id"))
        fields = detail.fields.map { field in
            Field(
                name: field.name,
                kind: words(field.kind.wordKey),
                value: item?.values[field.name] ?? "",
                fault: fault(field.name),
                isLong: field.kind == .object || field.kind == .array
            )
        }
        isEditing = item != nil
        uses = detail.uses.map { ContentUseLink($0, words) }
        isUsed = !uses.isEmpty
        problem = fault("")
        itemAction = ConsolePath.catalogItems(catalog.name).path
        listAddress = ConsolePath.catalogs.path
        mayWrite = visit.may(.marketer)
        deleteAddress = mayWrite ? ConsolePath.deleteCatalog(catalog.name).path : nil
        deleteQuestion = words(
            "catalogs.delete_confirm",
            ["name": catalog.name, "items": countText]
        )
    }
}

extension CatalogDraft {
    init(fields: FormFields) {
        self.init()
        name = fields["name"].trimmingCharacters(in: .whitespaces)
        description = fields["description"].trimmingCharacters(in: .whitespaces)
        self.fields = zip(fields.all("fieldName"), fields.all("fieldKind")).compactMap {
            let name = $0.trimmingCharacters(in: .whitespaces)
            return name.isEmpty
                ? nil : CatalogField(name: name, kind: CatalogField.Kind(rawValue: $1) ?? .string)
        }
    }
}
