import Content
import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Catalogs: tables whose rows messages read.
struct CatalogRoutes: Sendable {
    private static let fields = "/catalogs/{catalog_name}/fields"
    private static let selections = "/catalogs/{catalog_name}/selections"

    let catalogs: CatalogService

    var endpoints: [RESTEndpoint] {
        let all: [RESTEndpoint] = [
            .post(
                "/catalogs",
                "catalogs.create",
                "Makes a catalog",
                takes: CatalogSchemas.creation,
                answers: CatalogSchemas.catalogs
            ) { try await create($0) },
            .get(
                "/catalogs",
                "catalogs.get",
                "Lists the catalogs",
                answers: CatalogSchemas.catalogs
            ) { try await list($0) },
            .on(
                .delete,
                "/catalogs/{catalog_name}",
                "catalogs.delete",
                "Deletes a catalog with its items"
            ) { call in
                try await catalogs.delete(named: Self.catalog(call), by: .key(call.key))
                return try JSONResponse.json(JSONValue.object(["message": "success"]))
            },
            .on(
                .post,
                Self.fields,
                "catalogs.create_fields",
                "Adds fields to a catalog; its items have no values for them yet",
                success: .accepted,
                takes: CatalogSchemas.addedFields
            ) { try await addFields($0) },
            .on(
                .delete,
                Self.fields + "/{field_name}",
                "catalogs.delete_fields",
                "Removes a field and what the items have in it; not one that a selection needs",
                success: .accepted
            ) { call in
                try await catalogs.removeField(
                    call.pathParameter("field_name"),
                    from: Self.catalog(call),
                    by: .key(call.key)
                )
                return try Self.accepted
            },
            .on(
                .get,
                Self.selections,
                "catalogs.get_selections",
                "Lists the selections of a catalog",
                answers: CatalogSchemas.selections
            ) { call in
                let catalog = try await catalogs.catalog(
                    named: Self.catalog(call),
                    in: call.workspace
                )
                return try JSONResponse.json([
                    "message": "success",
                    "selections": .array(catalog.selections.map(CatalogSelectionReader.json)),
                ])
            },
            .on(
                .post,
                Self.selections,
                "catalogs.create_selection",
                "Adds a selection, for {% catalog_selection_items catalog selection %}",
                success: .accepted,
                takes: CatalogSchemas.newSelection
            ) { call in
                try await catalogs.addSelection(
                    try CatalogSelectionReader.selection(call.reader()),
                    to: Self.catalog(call),
                    by: .key(call.key)
                )
                return try Self.accepted
            },
            .on(
                .delete,
                Self.selections + "/{selection_name}",
                "catalogs.delete_selection",
                "Deletes a selection",
                success: .accepted
            ) { call in
                try await catalogs.removeSelection(
                    named: call.pathParameter("selection_name"),
                    from: Self.catalog(call),
                    by: .key(call.key)
                )
                return try Self.accepted
            },
        ]
        return all.map { $0.refusing(with: CatalogAnswer.problem).recordingItself }
    }

    private static func catalog(_ call: RESTEndpoint.Call) -> String {
        call.pathParameter("catalog_name")
    }

    private static var accepted: Response {
        get throws {
            try JSONResponse.json(JSONValue.object(["message": "success"]), status: .accepted)
        }
    }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let drafts = try call.reader().objects("catalogs", limit: 1)
        guard let reader = drafts.first else {
            throw FieldProblem("catalogs", .catalogToMake)
        }
        let catalog = try await catalogs.create(
            try reader.requiredString("name"),
            description: try reader.plainText("description", 0...CatalogValidator.descriptionLimit)
                ?? "",
            fields: try Self.fields(of: reader, limit: CatalogValidator.fieldLimit),
            by: .key(call.key)
        )
        return try JSONResponse.json(
            JSONValue.object(["message": "success", "catalogs": [summary(catalog)]]),
            status: .created
        )
    }

    private func addFields(_ call: RESTEndpoint.Call) async throws -> Response {
        try await catalogs.addFields(
            try Self.fields(of: call.reader(), limit: CatalogValidator.fieldLimit),
            to: Self.catalog(call),
            by: .key(call.key)
        )
        return try Self.accepted
    }

    private static func fields(
        of reader: RequestReader,
        limit: Int
    ) throws -> [Catalog.Field] {
        try reader.objects("fields", limit: limit).map { field in
            guard let type = Catalog.Field.Kind(rawValue: try field.requiredString("type")) else {
                let names = Catalog.Field.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw field.problem("type", .isOneOf, ["known": .text(names)])
            }
            return Catalog.Field(name: try field.requiredString("name"), type: type)
        }
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let catalogs = try await catalogs.catalogs(in: call.workspace)
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success", "catalogs": .array(catalogs.map(summary)),
            ])
        )
    }

    private func summary(_ catalog: Catalog) -> JSONValue {
        [
            "name": .string(catalog.name),
            "description": .string(catalog.description),
            "fields": .array(
                catalog.fields.map {
                    [
                        "name": .string($0.name), "type": .string($0.type.rawValue),
                        // The token of a field is its name.
                        "token": .string($0.name),
                    ]
                }
            ),
            "num_items": .integer(Int64(catalog.itemCount)),
            "storage_size": .integer(Int64(catalog.itemBytes)),
            "source": "API",
            "selections": .array(catalog.selections.map(CatalogSelectionReader.json)),
            "updated_at": .string(Timestamp.format(catalog.updatedAt)),
        ]
    }
}
