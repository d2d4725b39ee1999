import Foundation
import NoroshiWire

/// A named table whose rows messages read with `{% catalog_items name id %}`.
package struct Catalog: Sendable, Hashable {
    /// A column: its name and the type of its values.
    package struct Field: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            case string, number, boolean, time, object, array
        }

        package var name: String
        package var type: Kind

        package init(name: String, type: Kind) {
            self.name = name
            self.type = type
        }
    }

    package var workspace: WorkspaceID
    package var name: String
    package var description: String
    /// The first field is `id`.
    package var fields: [Field]
    /// In alphabetical order.
    package var selections: [CatalogSelection]
    package var itemCount: Int
    /// Total size of the items as JSON, in bytes.
    package var itemBytes: Int
    package var updatedAt: Date

    package init(
        workspace: WorkspaceID,
        name: String,
        description: String = "",
        fields: [Field],
        selections: [CatalogSelection] = [],
        itemCount: Int = 0,
        itemBytes: Int = 0,
        updatedAt: Date
    ) {
        self.workspace = workspace
        self.name = name
        self.description = description
        self.fields = fields
        self.selections = selections
        self.itemCount = itemCount
        self.itemBytes = itemBytes
        self.updatedAt = updatedAt
    }
}

/// A row of a catalog.
package struct CatalogItem: Sendable, Hashable {
    package var id: String
    /// The values by field, without the id.
    package var values: [String: JSONValue]

    package init(id: String, values: [String: JSONValue]) {
        self.id = id
        self.values = values
    }
}

/// How items are stored.
package enum CatalogItemChange: Sendable, Hashable {
    /// Adds new items only.
    case add
    /// Stores whole items; missing ones are created.
    case replace
    /// Changes the given fields of existing items.
    case edit
}
