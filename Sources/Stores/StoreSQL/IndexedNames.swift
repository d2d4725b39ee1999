import Model

/// PostgreSQL's indexes have entries of 2,704 bytes at the most: a name of 255 characters with many marks on
/// each is longer, and would undo the whole batch it came with. SQLite has no such limit; a database that is
/// to be moved has.
enum IndexedNames {
    /// In bytes. An alias has two names in one entry; 255 letters of any script need no more.
    static let limit = 1_020

    /// What is refused because a name is too long for an index; `nil` if nothing is.
    static func problem(_ item: IngestItem) -> FieldProblem? {
        var names: [(field: String, name: String)] = []
        switch item.content {
        case .event(let name, _), .storedEvent(let name, _): names.append(("name", name))
        case .purchase(let product, _, _, _, _): names.append(("product_id", product))
        case .alias(let name, let label): names += [("alias_name", name), ("alias_label", label)]
        default: break
        }
        if let alias = item.alias {
            names += [("alias_name", alias.name), ("alias_label", alias.label)]
        }
        if case .alias(let name, let label) = item.user {
            names += [("alias_name", name), ("alias_label", label)]
        }
        return names.first { $0.name.utf8.count > limit }.map {
            FieldProblem($0.field, .longerThan, ["count": "\(limit)"])
        }
    }
}
