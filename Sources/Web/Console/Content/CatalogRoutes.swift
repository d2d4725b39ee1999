import Content
import Foundation
import Hummingbird
import Model
import WebPages

/// The catalogs: list, items, deletion.
struct CatalogRoutes: Sendable {
    private static let pageLength = 25

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let catalogs: CatalogService

    init(site: ConsoleRenderer) {
        self.site = site
        catalogs = site.services.catalogs
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.catalogs.path),
            use: gate.member { visit, _ in try await list(CatalogForm(), visit) }
        )
        router.post(
            RouterPath(ConsolePath.catalogs.path),
            use: gate.member(.marketer) { visit, _ in
                let form = CatalogForm(fields: visit.form)
                do {
                    _ = try await catalogs.create(
                        form.name,
                        description: form.description,
                        fields: [Catalog.Field(name: "id", type: .string)] + form.fields,
                        by: visit.actor
                    )
                } catch let refusal as CatalogRefusal {
                    return try await list(form, visit, FormFault(refusal, visit.words))
                }
                return HTMLResponse.redirect(
                    to: FlashMessage.catalogSaved.address(.catalog(form.name))
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.catalog(":catalog").path),
            use: gate.member { visit, parameters in
                let catalog = try await found(visit, parameters)
                let item = try await item(visit.query["item"], of: catalog)
                return try await page(catalog, form: item.map(CatalogItemForm.init), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteCatalog(":catalog").path),
            use: gate.member(.marketer) { visit, parameters in
                let catalog = try await found(visit, parameters)
                do {
                    try await catalogs.delete(named: catalog.name, by: visit.actor)
                } catch let refusal as CatalogRefusal {
                    let fault = FormFault(refusal, visit.words)
                    return try await page(catalog, form: nil, visit, fault)
                }
                return HTMLResponse.redirect(to: FlashMessage.catalogDeleted.address(.catalogs))
            }
        )
        addItems(to: router)
    }

    private func addItems<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post(
            RouterPath(ConsolePath.catalogItems(":catalog").path),
            use: gate.member(.marketer) { visit, parameters in
                let catalog = try await found(visit, parameters)
                let form = CatalogItemForm(fields: visit.form)
                let fault: FormFault
                do {
                    let item = try form.item(of: catalog, visit.words)
                    try await catalogs.save(
                        [item],
                        as: .replace,
                        in: catalog.name,
                        by: visit.actor
                    )
                    return HTMLResponse.redirect(
                        to: FlashMessage.catalogSaved.address(.catalog(catalog.name))
                    )
                } catch let found as FormFault {
                    fault = found
                } catch let refusal as CatalogRefusal {
                    fault = FormFault(refusal, visit.words)
                }
                return try await page(catalog, form: form, visit, fault)
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteCatalogItem(":catalog", ":item").path),
            use: gate.member(.marketer) { visit, parameters in
                let catalog = try await found(visit, parameters)
                // An item that was already deleted is not an error.
                try await catalogs.deleteItems(
                    [try parameters.require("item")],
                    in: catalog.name,
                    by: visit.actor
                )
                return HTMLResponse.redirect(
                    to: FlashMessage.catalogSaved.address(.catalog(catalog.name))
                )
            }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> Catalog {
        do {
            return try await catalogs.catalog(
                named: try parameters.require("catalog"),
                in: visit.workspace
            )
        } catch let refusal as CatalogRefusal where refusal.kind == .unknown {
            throw PageProblem.notFound
        }
    }

    /// The item to edit; `nil` for a new one.
    private func item(_ id: String, of catalog: Catalog) async throws -> CatalogItem? {
        guard !id.isEmpty else { return nil }
        do {
            return try await catalogs.item(id, in: catalog.name, of: catalog.workspace)
        } catch let refusal as CatalogRefusal where refusal.kind == .unknown {
            return nil
        }
    }

    private func list(
        _ form: CatalogForm,
        _ visit: Visit,
        _ fault: FormFault? = nil
    ) async throws -> Response {
        try site.page(
            "catalogs",
            CatalogsPage(
                try await catalogs.catalogs(in: visit.workspace),
                form: form,
                fault: fault,
                visit: visit
            ),
            title: visit.words("catalogs.title"),
            place: .campaigns,
            visit: visit,
            status: fault == nil ? .ok : .unprocessableContent
        )
    }

    private func page(
        _ catalog: Catalog,
        form: CatalogItemForm?,
        _ visit: Visit,
        _ fault: FormFault? = nil
    ) async throws -> Response {
        let after = visit.query["after"]
        let items = try await catalogs.items(
            after: after.isEmpty ? nil : after,
            limit: Self.pageLength + 1,
            in: catalog.name,
            of: visit.workspace
        )
        let page = CatalogPage(
            catalog,
            items: Array(items.prefix(Self.pageLength)),
            hasMore: items.count > Self.pageLength,
            form: form,
            holders: try await catalogs.holders(ofCatalog: catalog.name, in: visit.workspace),
            fault: fault,
            visit: visit
        )
        return try site.page(
            "catalog",
            page,
            title: page.name,
            place: .campaigns,
            visit: visit,
            status: fault == nil ? .ok : .unprocessableContent
        )
    }
}
