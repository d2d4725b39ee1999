import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports

/// Catalogs: tables whose rows messages read.
struct CatalogRoutes: Sendable {
    let store: any CatalogStore
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
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
            ) { try await delete($0) },
        ]
    }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let drafts = try call.reader().objects("catalogs", limit: 1)
        guard let reader = drafts.first else {
            throw FieldProblem("catalogs", "holds the catalog to make")
        }
        var catalog = Catalog(
            workspace: call.workspace,
            name: try reader.requiredString("name"),
            description: try reader.string("description") ?? "",
            fields: [],
            updatedAt: now()
        )
        for field in try reader.objects("fields", limit: CatalogRule.fieldLimit) {
            guard let type = Catalog.Field.Kind(rawValue: try field.requiredString("type")) else {
                let names = Catalog.Field.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw field.problem("type", "is one of \(names)")
            }
            catalog.fields.append(
                Catalog.Field(name: try field.requiredString("name"), type: type)
            )
        }
        if let problem = CatalogRule.problem(name: catalog.name) {
            throw reader.problem("name", problem)
        }
        if let problem = CatalogRule.problem(fields: catalog.fields) {
            throw reader.problem("fields", problem)
        }
        guard try await store.catalogs(in: call.workspace).count < CatalogRule.catalogLimit else {
            throw reader.problem("name", "is one too many: at most \(CatalogRule.catalogLimit)")
        }
        do {
            try await store.createCatalog(catalog, now: catalog.updatedAt)
        } catch let error as StoreError where error.code == .exists {
            throw reader.problem("name", "is taken: \(error.message)")
        }
        return try APIAnswer.json(
            JSONValue.object(["message": "success", "catalogs": [summary(catalog)]]),
            status: .created
        )
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let catalogs = try await store.catalogs(in: call.workspace)
        return try APIAnswer.json(
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
                        // A field is its name and nothing behind it.
                        "token": .string($0.name),
                    ]
                }
            ),
            "num_items": .integer(Int64(catalog.itemCount)),
            "storage_size": .integer(Int64(catalog.itemBytes)),
            "source": "API", "selections": [],
            "updated_at": .string(Timestamp.format(catalog.updatedAt)),
        ]
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let name = call.pathParameter("catalog_name")
        guard try await store.deleteCatalog(named: name, in: call.workspace) else {
            throw APIProblem(.notFound, "there is no catalog named '\(name)'")
        }
        return try APIAnswer.json(JSONValue.object(["message": "success"]))
    }
}
