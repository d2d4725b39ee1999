import ContentFiles
import Foundation
import Model
import NoroshiWire

/// What the server has, as the lines of a content file.
struct ServerRows {
    /// Who a row is: by its identifier, or by its name where it has none.
    struct Identity: Hashable, CustomStringConvertible {
        let kind: String
        let id: String
        let name: String

        static func == (one: Self, other: Self) -> Bool {
            one.kind == other.kind && one.id == other.id
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(id)
        }

        var description: String {
            kind.replacing("_", with: " ") + (name.isEmpty ? "" : " '\(name)'")
        }
    }

    /// In the order of the file, without the items of catalogs.
    private(set) var lines: [[String: JSONValue]] = []
    /// Items of catalogs by catalog and identifier, as lines.
    private(set) var items: [String: [String: [String: JSONValue]]] = [:]
    /// By identifier.
    private(set) var names: [String: String] = [:]
    private var byName: [String: Set<String>] = [:]
    private var byIdentity: [Identity: Int] = [:]

    /// - Parameter isWanted: Whether the items of a catalog are.
    init(
        _ service: ContentFileService,
        of workspace: WorkspaceID,
        itemsOf isWanted: (_ catalog: String) -> Bool = { _ in true }
    ) async throws {
        var lines: [[String: JSONValue]] = []
        var items = self.items
        try await service.export(workspace, prefersNames: true, itemsOf: isWanted) { line in
            if line["kind"] == "catalog_item" {
                items[line["catalog"]?.stringValue ?? "", default: [:]][
                    line["id"]?.stringValue ?? ""
                ] = line
            } else {
                lines.append(line)
            }
        }
        self.lines = lines
        self.items = items
        for (place, line) in lines.enumerated() {
            let identity = Self.identity(of: line)
            byIdentity[identity] = place
            byName[Self.key(identity.kind, identity.name), default: []].insert(identity.id)
            names[identity.id] = identity.name
        }
    }

    static func identity(of line: [String: JSONValue]) -> Identity {
        let kind = line["kind"]?.stringValue ?? ""
        let name = FolderLayout.name(of: line, kind: kind)
        return Identity(kind: kind, id: line["id"]?.stringValue ?? name, name: name)
    }

    private static func key(_ kind: String, _ name: String) -> String {
        kind + "/" + name.lowercased()
    }

    /// The identifier of the only row of a kind that has a name.
    func identifier(of kind: String, named name: String) -> String? {
        guard let found = byName[Self.key(kind, name)], found.count == 1 else { return nil }
        return found.first
    }

    func line(_ identity: Identity) -> [String: JSONValue]? {
        byIdentity[identity].map { lines[$0] }
    }

    func rows(without known: Set<Identity>) -> [Identity] {
        lines.map(Self.identity).filter {
            !known.contains($0) && FolderLayout.single[$0.kind] == nil
        }
    }

    /// The item that a line of one describes.
    func item(like line: [String: JSONValue]) -> [String: JSONValue]? {
        items[line["catalog"]?.stringValue ?? ""]?[line["id"]?.stringValue ?? ""]
    }

    /// All items of a catalog in the order of their identifiers.
    func itemsValue(of catalog: String) -> JSONValue {
        .array((items[catalog] ?? [:]).sorted { $0.key < $1.key }.map { .object($0.value) })
    }
}
