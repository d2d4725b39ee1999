import Content
import Foundation
import Liquid
import Model
import Reasons
import WebPages

extension FormFieldError {
    init(_ refusal: CatalogError, _ words: Words) {
        func most(_ key: String, _ limit: Int) -> String {
            words(key, ["most": words.number(limit)])
        }
        switch refusal.code {
        case .catalogNameTooLarge, .invalidCatalogName:
            self.init(field: "name", text: most("fault.plain_name", CatalogValidator.nameLimit))
        case .catalogNameAlreadyExists:
            self.init(field: "name", text: words("fault.name_taken"))
        case .reachedCompanyCatalogsLimit:
            self.init(field: "name", text: most("fault.too_many", CatalogValidator.catalogLimit))
        case .descriptionTooLong:
            self.init(
                field: "description",
                text: most("fault.too_long", CatalogValidator.descriptionLimit)
            )
        case .tooManyFields:
            self.init(field: "fields", text: most("fault.too_many", CatalogValidator.fieldLimit))
        case .fieldNamesNotUnique:
            self.init(field: "fields", text: words("fault.twice"))
        case .fieldNamesTooLarge, .invalidFieldNames:
            self.init(field: "fields", text: most("fault.plain_name", CatalogValidator.nameLimit))
        case .idsTooLarge, .invalidIDs:
            self.init(field: "id", text: most("fault.plain_name", CatalogValidator.nameLimit))
        case .itemsTooLarge:
            self.init(field: "id", text: most("fault.too_long", CatalogValidator.itemBytes))
        default:
            self.init(field: "", text: words(refusal.reason))
        }
    }
}

extension Catalog.Field.Kind {
    var wordKey: String {
        switch self {
        case .string: "catalogs.kind.string"
        case .number: "catalogs.kind.number"
        case .boolean: "catalogs.kind.boolean"
        case .time: "catalogs.kind.time"
        case .object: "catalogs.kind.object"
        case .array: "catalogs.kind.array"
        }
    }
}

/// Links to the uses of a block or a catalog.
struct ContentUseLink {
    let name: String
    let address: String
    let kind: String

    init(_ holder: ContentUses.Holder, _ words: Words) {
        name = holder.name
        switch holder {
        case .campaign(let campaign):
            address = ConsolePath.campaign("\(campaign.id)").path
            kind = words(holder.isActive ? "blocks.in_active_campaign" : "blocks.in_campaign")
        case .block(let block):
            address = ConsolePath.contentBlock(block.id).path
            kind = words("blocks.in_block")
        case .inAppMessage(let message):
            address = ConsolePath.inAppMessage(message.id.uuidString.lowercased()).path
            kind = words("blocks.in_in_app")
        case .send(let send):
            address = ConsolePath.push(send.id.rawValue).path
            kind = words("blocks.in_push")
        }
    }
}

/// The tabs of campaigns and of the content that their messages share.
struct ContentTabs {
    struct Tab {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let tabs: [Tab]

    init(current: ConsolePath, _ words: Words) {
        tabs = [
            ("nav.campaigns", .campaigns), ("blocks.title", .contentBlocks),
            ("catalogs.title", .catalogs),
        ].map { (key: String, path: ConsolePath) in
            Tab(label: words(key), address: path.path, isCurrent: path == current)
        }
    }
}
