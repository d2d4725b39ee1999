import WebPages

extension ContentRejected {
    func text(_ words: Words) -> String {
        switch reason {
        case .nameTaken: words("fault.name_taken")
        case .name(let limit): words("fault.plain_name", ["most": words.number(limit)])
        case .tooLong(let limit): words("fault.too_long", ["most": words.number(limit)])
        case .liquid(let text): words.said(text)
        case .used(let names): words("fault.used", ["names": names.joined(separator: ", ")])
        case .kind(let kind): words("fault.kind", ["kind": words(kind.wordKey)])
        case .tooMany(let limit): words("fault.too_many", ["most": words.number(limit)])
        case .twice: words("fault.twice")
        }
    }
}

extension CatalogField.Kind {
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

/// The links to what uses a block or a catalog.
struct ContentUseLink {
    let name: String
    let address: String
    let kind: String

    init(_ use: ContentUse, _ words: Words) {
        name = use.name
        switch use.kind {
        case .campaign(let id):
            address = ConsolePath.campaign(String(id)).path
            kind = words(use.isActive ? "blocks.in_active_campaign" : "blocks.in_campaign")
        case .block(let id):
            address = ConsolePath.contentBlock(id).path
            kind = words("blocks.in_block")
        case .inAppMessage(let id):
            address = ConsolePath.inAppMessage(id).path
            kind = words("blocks.in_in_app")
        case .push(let number):
            address = ConsolePath.push(number).path
            kind = words("blocks.in_push")
        }
    }
}

/// The tabs between campaigns and what their messages share.
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
