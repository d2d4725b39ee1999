import Content
import Foundation
import Liquid
import Model
import WebPages

extension FormFault {
    init(_ error: ContentBlockError, _ words: Words) {
        let text =
            switch error {
            case .name:
                words("fault.plain_name", ["most": words.number(ContentBlockValidator.nameLimit)])
            case .nameTaken: words("fault.name_taken")
            case .descriptionTooLong:
                words(
                    "fault.too_long",
                    ["most": words.number(ContentBlockValidator.descriptionLimit)]
                )
            case .contentTooLong:
                words("fault.too_long", ["most": words.number(ContentBlockValidator.contentLimit)])
            case .tooManyTags:
                words("fault.too_many", ["most": words.number(ContentBlockValidator.tagLimit)])
            case .liquid(let error): words(error.whole)
            case .used(let holders): Self.used(by: holders, words)
            }
        self.init(field: error.field ?? "", text: text)
    }

    init(_ refusal: CatalogRefusal, _ words: Words) {
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
        case .catalogInUse:
            self.init(field: "", text: Self.used(by: refusal.holders, words))
        default:
            // The console has no form for the other cases.
            self.init(field: "", text: refusal.description)
        }
    }

    init(_ unreadable: Catalog.Field.Unreadable, _ words: Words) {
        self.init(
            field: unreadable.field.name,
            text: words("fault.kind", ["kind": words(unreadable.field.type.wordKey)])
        )
    }

    private static func used(by holders: [ContentUses.Holder], _ words: Words) -> String {
        words("fault.used", ["names": holders.map(\.name).joined(separator: ", ")])
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
