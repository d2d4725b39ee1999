import Foundation
import Model
import Reasons

/// Rows by name, without regard to case. A name that several have means none of them.
struct UniqueNames<Row: Hashable> {
    private var rows: [String: Set<Row>] = [:]

    mutating func add(_ row: Row, named name: String) {
        rows[name.lowercased(), default: []].insert(row)
    }

    subscript(name: String) -> Row? {
        guard let found = rows[name.lowercased()], found.count == 1 else { return nil }
        return found.first
    }

    /// Why a name means no row although there are some.
    func problem(with name: String) -> ContentFileReason? {
        (rows[name.lowercased()]?.count ?? 0) > 1 ? .severalNamed : nil
    }

    /// What each row is called in a form that prefers names. A name that could be an identifier is
    /// none.
    func names(_ all: some Sequence<(row: Row, name: String)>) -> [Row: String] {
        var names: [Row: String] = [:]
        for (row, name) in all where self[name] == row && UUID(uuidString: name) == nil {
            if !name.isEmpty { names[row] = name }
        }
        return names
    }
}

extension UniqueNames<UUID> {
    /// - Throws: `FieldProblem`.
    func identifier(_ name: String, _ field: String) throws(FieldProblem) -> UUID {
        if let id = UUID(uuidString: name) ?? self[name] { return id }
        throw FieldProblem(field, problem(with: name) ?? .namesNothing, ["name": .text(name)])
    }
}
