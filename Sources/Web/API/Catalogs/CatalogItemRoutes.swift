import Content
import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// The items of catalogs, one by one and in lists.
struct CatalogItemRoutes: Sendable {
    private static let pageLength = 50
    private static let list = "/catalogs/{catalog_name}/items"
    private static let item = "/catalogs/{catalog_name}/items/{item_id}"

    let catalogs: CatalogService

    var endpoints: [RESTEndpoint] {
        let all: [RESTEndpoint] = [
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
            .on(.delete, Self.item, "catalogs.delete_item", "Deletes an item") { call in
                try await catalogs.deleteItem(
                    call.pathParameter("item_id"),
                    in: Self.catalog(call),
                    by: .key(call.key)
                )
                return try JSONResponse.json(JSONValue.object(["message": "success"]))
            },
        ]
        return all.map { $0.refusing(with: CatalogAnswer.problem).recordingItself }
    }

    private static func catalog(_ call: RESTEndpoint.Call) -> String {
        call.pathParameter("catalog_name")
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
            try await catalogs.save(
                try Self.items(call, isOne: path == Self.item),
                as: change,
                in: Self.catalog(call),
                by: .key(call.key)
            )
            return try JSONResponse.json(JSONValue.object(["message": "success"]), status: success)
        }
    }

    /// The items of a request; an item whose id is in the path has none in the body.
    private static func items(_ call: RESTEndpoint.Call, isOne: Bool) throws -> [CatalogItem] {
        let limit = isOne ? 1 : CatalogValidator.itemLimit
        let request = try call.reader()
        if let sent = request.value("items")?.arrayValue, sent.count > limit {
            throw CatalogError(
                .invalid,
                .requestIncludesTooManyItems,
                .itemCount,
                ["count": "\(limit)"],
                at: CatalogError.Parameter("items", .integer(Int64(sent.count)))
            )
        }
        let readers = try request.objects("items", limit: limit)
        guard !readers.isEmpty else { throw FieldProblem("items", .itemsToStore) }
        return try readers.map { reader in
            if isOne, let id = reader.value("id") {
                throw CatalogError(
                    .invalid,
                    .idInBody,
                    .idInPath,
                    at: CatalogError.Parameter("id", id)
                )
            }
            guard isOne || reader.value("id") != nil else {
                throw CatalogError(
                    .invalid,
                    .itemsMissingIDs,
                    .itemNeedsID,
                    at: CatalogError.Parameter("id", .null)
                )
            }
            if let id = reader.value("id"), id.stringValue == nil {
                throw CatalogError(
                    .invalid,
                    .idsNotStrings,
                    .idIsString,
                    at: CatalogError.Parameter("id", id)
                )
            }
            var values: [String: JSONValue] = [:]
            for name in reader.fields where name != "id" { values[name] = reader.value(name) }
            return CatalogItem(
                id: isOne ? call.pathParameter("item_id") : try reader.requiredString("id"),
                values: values
            )
        }
    }

    private func page(_ call: RESTEndpoint.Call) async throws -> Response {
        let name = Self.catalog(call)
        let items = try await catalogs.items(
            after: try call.reader().plainText("cursor", 1...CatalogValidator.nameLimit),
            limit: Self.pageLength,
            in: name,
            of: call.workspace
        )
        var response = try JSONResponse.json(
            JSONValue.object([
                "message": "success", "items": .array(items.map(Self.json)),
            ])
        )
        if items.count == Self.pageLength, let last = items.last,
            let link = HTTPField.Name("Link")
        {
            response.headers[link] = "</catalogs/\(name)/items?cursor=\(last.id)>; rel=\"next\""
        }
        return response
    }

    private func show(_ call: RESTEndpoint.Call) async throws -> Response {
        let item = try await catalogs.item(
            call.pathParameter("item_id"),
            in: Self.catalog(call),
            of: call.workspace
        )
        return try JSONResponse.json(
            JSONValue.object(["message": "success", "items": [Self.json(item)]])
        )
    }

    private func deleteList(_ call: RESTEndpoint.Call) async throws -> Response {
        var ids: [String] = []
        for reader in try call.reader().objects("items", limit: CatalogValidator.itemLimit) {
            ids.append(try reader.requiredString("id"))
        }
        try await catalogs.deleteItems(ids, in: Self.catalog(call), by: .key(call.key))
        return try JSONResponse.json(JSONValue.object(["message": "success"]), status: .accepted)
    }

    private static func json(_ item: CatalogItem) -> JSONValue {
        .object(item.values.merging(["id": .string(item.id)]) { $1 })
    }
}
