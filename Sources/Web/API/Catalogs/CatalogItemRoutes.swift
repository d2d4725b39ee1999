import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports

/// The items of catalogs, one by one and in lists.
struct CatalogItemRoutes: Sendable {
    private static let pageLength = 50
    private static let list = "/catalogs/{catalog_name}/items"
    private static let item = "/catalogs/{catalog_name}/items/{item_id}"

    let store: any CatalogStore
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
            .on(
                .get,
                Self.list,
                "catalogs.get_items",
                "Lists items by id, \(Self.pageLength) at a time",
                [
                    RESTEndpoint.Parameter(
                        name: "cursor",
                        summary: "Where the answer before ended: from its header Link."
                    )
                ],
                answers: CatalogSchemas.answer
            ) { try await page($0) },
            .on(
                .get,
                Self.item,
                "catalogs.get_item",
                "Shows an item",
                answers: CatalogSchemas.answer
            ) { try await show($0) },
            change(.post, Self.list, "catalogs.add_items", "Adds items", .add, .accepted),
            change(
                .put,
                Self.list,
                "catalogs.replace_items",
                "Replaces items",
                .replace,
                .accepted
            ),
            change(.patch, Self.list, "catalogs.update_items", "Edits items", .edit, .accepted),
            change(.post, Self.item, "catalogs.create_item", "Adds an item", .add, .created),
            change(.put, Self.item, "catalogs.replace_item", "Replaces an item", .replace, .ok),
            change(.patch, Self.item, "catalogs.update_item", "Edits an item", .edit, .ok),
            .on(
                .delete,
                Self.list,
                "catalogs.delete_items",
                "Deletes items",
                success: .accepted,
                takes: CatalogSchemas.items
            ) { try await deleteList($0) },
            .on(.delete, Self.item, "catalogs.delete_item", "Deletes an item") {
                try await delete($0)
            },
        ]
    }

    private func change(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ permission: String,
        _ summary: String,
        _ change: CatalogItemChange,
        _ success: HTTPResponse.Status
    ) -> RESTEndpoint {
        .on(
            method,
            path,
            permission,
            summary,
            success: success,
            takes: path == Self.item ? CatalogSchemas.item : CatalogSchemas.items
        ) { call in
            let catalog = try await catalog(call)
            let items = try items(call, of: catalog, isOne: path == Self.item)
            let refused = try await store.saveCatalogItems(
                items,
                as: change,
                in: catalog.name,
                of: call.workspace,
                now: now()
            )
            guard refused.isEmpty else {
                let names = refused.map { "'\($0)'" }.joined(separator: ", ")
                throw change == .add
                    ? APIProblem(.conflict, "there are items with these ids already: \(names)")
                    : APIProblem(.notFound, "there are no items with these ids: \(names)")
            }
            return try APIAnswer.json(JSONValue.object(["message": "success"]), status: success)
        }
    }

    /// The items of a request, each value checked against its field.
    private func items(
        _ call: RESTEndpoint.Call,
        of catalog: Catalog,
        isOne: Bool
    ) throws -> [CatalogItem] {
        let readers = try call.reader().objects("items", limit: isOne ? 1 : CatalogRule.itemLimit)
        guard !readers.isEmpty else { throw FieldProblem("items", "holds what is to be stored") }
        let fields = Dictionary(uniqueKeysWithValues: catalog.fields.map { ($0.name, $0) })
        var ids: Set<String> = []
        return try readers.map { reader in
            let id =
                isOne ? call.pathParameter("item_id") : try reader.requiredString("id")
            if let problem = CatalogRule.problem(name: id) { throw reader.problem("id", problem) }
            guard ids.insert(id).inserted else {
                throw reader.problem("id", "is there more than once")
            }
            var values: [String: JSONValue] = [:]
            for name in reader.fields where name != "id" {
                guard let field = fields[name] else {
                    throw reader.problem(name, "is no field of '\(catalog.name)'")
                }
                let value = reader.value(name) ?? .null
                if let problem = CatalogRule.problem(value: value, of: field) {
                    throw reader.problem(name, problem)
                }
                values[name] = value
            }
            guard try JSONEncoder().encode(values).count <= CatalogRule.itemBytes else {
                throw reader.problem(
                    "id",
                    "names an item of more than \(CatalogRule.itemBytes) bytes"
                )
            }
            return CatalogItem(id: id, values: values)
        }
    }

    private func catalog(_ call: RESTEndpoint.Call) async throws -> Catalog {
        let name = call.pathParameter("catalog_name")
        guard let catalog = try await store.catalog(named: name, in: call.workspace) else {
            throw APIProblem(.notFound, "there is no catalog named '\(name)'")
        }
        return catalog
    }

    private func page(_ call: RESTEndpoint.Call) async throws -> Response {
        let catalog = try await catalog(call)
        let items = try await store.catalogItems(
            after: try call.reader().string("cursor"),
            limit: Self.pageLength,
            in: catalog.name,
            of: call.workspace
        )
        var response = try APIAnswer.json(
            JSONValue.object([
                "message": "success", "items": .array(items.map(Self.json)),
            ])
        )
        if items.count == Self.pageLength, let last = items.last,
            let link = HTTPField.Name("Link")
        {
            response.headers[link] =
                "</catalogs/\(catalog.name)/items?cursor=\(last.id)>; rel=\"next\""
        }
        return response
    }

    private func show(_ call: RESTEndpoint.Call) async throws -> Response {
        let catalog = try await catalog(call)
        let id = call.pathParameter("item_id")
        let items = try await store.catalogItems([id], in: catalog.name, of: call.workspace)
        guard !items.isEmpty else { throw unknown(id) }
        return try APIAnswer.json(
            JSONValue.object([
                "message": "success", "items": .array(items.map(Self.json)),
            ])
        )
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let catalog = try await catalog(call)
        let id = call.pathParameter("item_id")
        let count = try await store.deleteCatalogItems(
            [id],
            in: catalog.name,
            of: call.workspace,
            now: now()
        )
        guard count > 0 else { throw unknown(id) }
        return try APIAnswer.json(JSONValue.object(["message": "success"]))
    }

    private func deleteList(_ call: RESTEndpoint.Call) async throws -> Response {
        let catalog = try await catalog(call)
        var ids: [String] = []
        for reader in try call.reader().objects("items", limit: CatalogRule.itemLimit) {
            ids.append(try reader.requiredString("id"))
        }
        _ = try await store.deleteCatalogItems(
            ids,
            in: catalog.name,
            of: call.workspace,
            now: now()
        )
        return try APIAnswer.json(JSONValue.object(["message": "success"]), status: .accepted)
    }

    private func unknown(_ id: String) -> APIProblem {
        APIProblem(.notFound, "there is no item with the id '\(id)'")
    }

    private static func json(_ item: CatalogItem) -> JSONValue {
        .object(item.values.merging(["id": .string(item.id)]) { $1 })
    }
}
