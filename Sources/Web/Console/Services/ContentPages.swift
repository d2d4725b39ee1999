import Foundation

/// What messages read beside the user: content blocks and catalogs.
package protocol ContentPages: Sendable {
    /// Most recently changed first.
    func blocks(for member: ConsoleMember) async throws -> [BlockRow]
    func block(id: String, for member: ConsoleMember) async throws -> BlockDetail?
    /// Stores a block and returns its id.
    /// - Throws: ``ContentRejected``.
    func save(_ draft: BlockDraft, id: String?, for member: ConsoleMember) async throws -> String
    /// - Throws: ``ContentRejected`` while something that is active uses it.
    func deleteBlock(id: String, for member: ConsoleMember) async throws

    /// By name.
    func catalogs(for member: ConsoleMember) async throws -> [CatalogRow]
    /// A catalog with its items after the one with an id.
    func catalog(
        named name: String,
        after id: String?,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> CatalogDetail?
    func catalogItem(_ id: String, of catalog: String, for member: ConsoleMember) async throws
        -> CatalogItemValues?
    /// - Throws: ``ContentRejected``.
    func create(_ draft: CatalogDraft, for member: ConsoleMember) async throws
    /// Stores an item, over the one with its id if there is one.
    /// - Throws: ``ContentRejected`` that names the catalog's field.
    func save(
        _ item: CatalogItemValues,
        in catalog: String,
        for member: ConsoleMember
    ) async throws
    func deleteItem(_ id: String, of catalog: String, for member: ConsoleMember) async throws
    /// - Throws: ``ContentRejected`` while something that is active uses it.
    func deleteCatalog(named name: String, for member: ConsoleMember) async throws
}

/// A content block as the list shows it.
package struct BlockRow: Sendable, Hashable {
    package var id: String
    package var name: String
    package var description: String
    package var isDraft: Bool
    package var changedAt: Date
    /// How many campaigns and blocks use it.
    package var uses: Int

    package init(
        id: String,
        name: String,
        description: String,
        isDraft: Bool,
        changedAt: Date,
        uses: Int
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.isDraft = isDraft
        self.changedAt = changedAt
        self.uses = uses
    }
}

package struct BlockDetail: Sendable, Hashable {
    package var row: BlockRow
    package var content: String
    package var tags: [String]
    package var uses: [ContentUse]

    package init(row: BlockRow, content: String, tags: [String], uses: [ContentUse]) {
        self.row = row
        self.content = content
        self.tags = tags
        self.uses = uses
    }
}

/// What uses a content block or a catalog.
package struct ContentUse: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case campaign(id: Int64)
        case block(id: String)
        case inAppMessage(id: String)
        case push(number: Int64)
    }

    package var kind: Kind
    package var name: String
    /// Whether messages are made from it now.
    package var isActive: Bool

    package init(kind: Kind, name: String, isActive: Bool) {
        self.kind = kind
        self.name = name
        self.isActive = isActive
    }
}

/// A content block as it is written.
package struct BlockDraft: Sendable, Hashable {
    package var name = ""
    package var description = ""
    package var content = ""
    package var tags: [String] = []
    package var isDraft = false

    package init() {}
}

/// A catalog as the list shows it.
package struct CatalogRow: Sendable, Hashable {
    package var name: String
    package var description: String
    package var fields: Int
    package var items: Int
    package var changedAt: Date

    package init(name: String, description: String, fields: Int, items: Int, changedAt: Date) {
        self.name = name
        self.description = description
        self.fields = fields
        self.items = items
        self.changedAt = changedAt
    }
}

/// A column of a catalog.
package struct CatalogField: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case string, number, boolean, time, object, array
    }

    package var name: String
    package var kind: Kind

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

package struct CatalogDetail: Sendable, Hashable {
    package var row: CatalogRow
    /// Without the id.
    package var fields: [CatalogField]
    package var items: [CatalogItemValues]
    package var selections: [CatalogSelectionRow]
    package var uses: [ContentUse]

    package init(
        row: CatalogRow,
        fields: [CatalogField],
        items: [CatalogItemValues],
        selections: [CatalogSelectionRow] = [],
        uses: [ContentUse]
    ) {
        self.row = row
        self.fields = fields
        self.items = items
        self.selections = selections
        self.uses = uses
    }
}

/// Items of a catalog that messages ask for by a name.
package struct CatalogSelectionRow: Sendable, Hashable {
    package var name: String
    package var description: String

    package init(name: String, description: String) {
        self.name = name
        self.description = description
    }
}

/// An item with its values as text, JSON for objects and lists.
package struct CatalogItemValues: Sendable, Hashable {
    package var id: String
    package var values: [String: String]

    package init(id: String, values: [String: String]) {
        self.id = id
        self.values = values
    }
}

/// A new catalog.
package struct CatalogDraft: Sendable, Hashable {
    package var name = ""
    package var description = ""
    /// Without the id.
    package var fields: [CatalogField] = []

    package init() {}
}

/// Why a block or a catalog is not saved or deleted: the form's field and what to do.
package struct ContentRejected: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case nameTaken
        /// Letters from a to z, digits, `-` and `_` only, 1 to as many as given.
        case name(limit: Int)
        /// Longer than so many characters or bytes.
        case tooLong(limit: Int)
        /// What is wrong with the Liquid, with its place.
        case liquid(String)
        case used(by: [String])
        case kind(CatalogField.Kind)
        case tooMany(limit: Int)
        case twice
    }

    package var field: String
    package var reason: Reason

    package init(field: String, reason: Reason) {
        self.field = field
        self.reason = reason
    }
}
