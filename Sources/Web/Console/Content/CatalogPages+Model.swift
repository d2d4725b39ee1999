import Content
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
        _ catalogs: [Catalog],
        form: CatalogForm,
        fault: FormFieldError?,
        context: ConsoleContext
    ) {
        let words = context.words
        tabs = ContentTabs(current: .catalogs, words).tabs
        rows = catalogs.map { catalog in
            Row(
                address: ConsolePath.catalog(catalog.name).path,
                name: catalog.name,
                description: catalog.description,
                fields: words.number(catalog.fields.count),
                items: words.number(catalog.itemCount),
                changed: context.moment(catalog.updatedAt)
            )
        }
        isEmpty = rows.isEmpty
        name = FormField(value: form.name, fault: fault?.field == "name" ? fault?.text : nil)
        description = form.description
        let blank = Catalog.Field(name: "", type: .string)
        fields = (form.fields.isEmpty ? [blank] : form.fields).enumerated().map { index, field in
            Field(
                name: field.name,
                kinds: Catalog.Field.Kind.allCases.map {
                    SettingsChoice(
                        value: $0.rawValue,
                        label: words($0.wordKey),
                        isChosen: $0 == field.type
                    )
                },
                position: index + 1
            )
        }
        fieldsFault = fault?.field == "name" ? nil : fault?.text
        action = ConsolePath.catalogs.path
        mayWrite = context.hasRole(atLeast: .marketer)
        isAdding = fault != nil || isEmpty
    }
}

/// One catalog: its items, the form for one of them, and the uses of the catalog.
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

    /// - Parameters:
    ///   - shown: A page of its items.
    ///   - form: The item being edited; `nil` for a new one.
    ///   - holders: The objects that use the catalog.
    init(
        _ catalog: Catalog,
        items shown: [CatalogItem],
        hasMore: Bool,
        form: CatalogItemForm?,
        holders: [ContentUses.Holder],
        fault: FormFieldError?,
        context: ConsoleContext
    ) {
        let words = context.words
        // The id is a separate field of the form.
        let written = catalog.fields.dropFirst()
        func text(_ field: String) -> String? { fault?.field == field ? fault?.text : nil }
        name = catalog.name
        description = catalog.description.isEmpty ? nil : catalog.description
        tag = "{% catalog_items \(catalog.name) … %}"
        selections = catalog.selections.map {
            Selection(
                tag: "{% catalog_selection_items \(catalog.name) \($0.name) %}",
                description: $0.description
            )
        }
        hasSelections = !selections.isEmpty
        columns = written.map(\.name)
        items = shown.map { item in
            Item(
                id: item.id,
                values: written.map { item.values[$0.name]?.shownText ?? "–" },
                editAddress: ConsolePath.catalog(catalog.name).query(
                    FormFields([("item", item.id)])
                ) + "#item",
                deleteAddress: ConsolePath.deleteCatalogItem(catalog.name, item.id).path,
                deleteQuestion: words("catalogs.item_delete_confirm", ["name": item.id])
            )
        }
        isEmpty = items.isEmpty
        countText = words.counted("catalogs.items", catalog.itemCount)
        nextAddress =
            hasMore
            ? shown.last.map {
                ConsolePath.catalog(catalog.name).query(FormFields([("after", $0.id)]))
            } : nil
        id = FormField(value: form?.id ?? "", fault: text("id"))
        fields = written.map { field in
            Field(
                name: field.name,
                kind: words(field.type.wordKey),
                value: form?.values[field.name] ?? "",
                fault: text(field.name),
                isLong: field.type == .object || field.type == .array
            )
        }
        isEditing = form != nil
        uses = holders.map { ContentUseLink($0, words) }
        isUsed = !uses.isEmpty
        problem = text("")
        itemAction = ConsolePath.catalogItems(catalog.name).path
        listAddress = ConsolePath.catalogs.path
        mayWrite = context.hasRole(atLeast: .marketer)
        deleteAddress = mayWrite ? ConsolePath.deleteCatalog(catalog.name).path : nil
        deleteQuestion = words(
            "catalogs.delete_confirm",
            ["name": catalog.name, "items": countText]
        )
    }
}
