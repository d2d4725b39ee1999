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
            use: gate.member { context, _ in try await list(CatalogForm(), context) }
        )
        router.post(
            RouterPath(ConsolePath.catalogs.path),
            use: gate.member(.marketer) { context, _ in
                let form = CatalogForm(fields: context.form)
                do {
                    _ = try await catalogs.create(
                        form.name,
                        description: form.description,
                        fields: [Catalog.Field(name: "id", type: .string)] + form.fields,
                        by: context.actor
                    )
                } catch let refusal as CatalogError {
                    return try await list(form, context, FormFieldError(refusal, context.words))
                }
                return HTMLResponse.redirect(
                    to: FlashMessage.catalogSaved.address(.catalog(form.name))
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.catalog(":catalog").path),
            use: gate.member { context, parameters in
                let catalog = try await found(context, parameters)
                let item = try await item(context.query["item"], of: catalog)
                return try await page(catalog, form: item.map(CatalogItemForm.init), context)
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteCatalog(":catalog").path),
            use: gate.member(.marketer) { context, parameters in
                let catalog = try await found(context, parameters)
                do {
                    try await catalogs.delete(named: catalog.name, by: context.actor)
                } catch let refusal as CatalogError {
                    let fault = FormFieldError(refusal, context.words)
                    return try await page(catalog, form: nil, context, fault)
                }
                return HTMLResponse.redirect(to: FlashMessage.catalogDeleted.address(.catalogs))
            }
        )
        addItems(to: router)
    }

    private func addItems<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post(
            RouterPath(ConsolePath.catalogItems(":catalog").path),
            use: gate.member(.marketer) { context, parameters in
                let catalog = try await found(context, parameters)
                let form = CatalogItemForm(fields: context.form)
                let fault: FormFieldError
                do {
                    let item = try form.item(of: catalog, context.words)
                    try await catalogs.save(
                        [item],
                        as: .replace,
                        in: catalog.name,
                        by: context.actor
                    )
                    return HTMLResponse.redirect(
                        to: FlashMessage.catalogSaved.address(.catalog(catalog.name))
                    )
                } catch let found as FormFieldError {
                    fault = found
                } catch let refusal as CatalogError {
                    fault = FormFieldError(refusal, context.words)
                }
                return try await page(catalog, form: form, context, fault)
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteCatalogItem(":catalog", ":item").path),
            use: gate.member(.marketer) { context, parameters in
                let catalog = try await found(context, parameters)
                // An item that was already deleted is not an error.
                try await catalogs.deleteItems(
                    [try parameters.require("item")],
                    in: catalog.name,
                    by: context.actor
                )
                return HTMLResponse.redirect(
                    to: FlashMessage.catalogSaved.address(.catalog(catalog.name))
                )
            }
        )
    }

    private func found(_ context: ConsoleContext, _ parameters: Parameters) async throws -> Catalog
    {
        do {
            return try await catalogs.catalog(
                named: try parameters.require("catalog"),
                in: context.workspace
            )
        } catch let refusal as CatalogError where refusal.kind == .unknown {
            throw PageError.notFound
        }
    }

    /// The item to edit; `nil` for a new one.
    private func item(_ id: String, of catalog: Catalog) async throws -> CatalogItem? {
        guard !id.isEmpty else { return nil }
        do {
            return try await catalogs.item(id, in: catalog.name, of: catalog.workspace)
        } catch let refusal as CatalogError where refusal.kind == .unknown {
            return nil
        }
    }

    private func list(
        _ form: CatalogForm,
        _ context: ConsoleContext,
        _ fault: FormFieldError? = nil
    ) async throws -> Response {
        try site.page(
            "catalogs",
            CatalogsPage(
                try await catalogs.catalogs(in: context.workspace),
                form: form,
                fault: fault,
                context: context
            ),
            title: context.words("catalogs.title"),
            place: .campaigns,
            context: context,
            status: fault == nil ? .ok : .unprocessableContent
        )
    }

    private func page(
        _ catalog: Catalog,
        form: CatalogItemForm?,
        _ context: ConsoleContext,
        _ fault: FormFieldError? = nil
    ) async throws -> Response {
        let after = context.query["after"]
        let items = try await catalogs.items(
            after: after.isEmpty ? nil : after,
            limit: Self.pageLength + 1,
            in: catalog.name,
            of: context.workspace
        )
        let page = CatalogPage(
            catalog,
            items: Array(items.prefix(Self.pageLength)),
            hasMore: items.count > Self.pageLength,
            form: form,
            holders: try await catalogs.holders(ofCatalog: catalog.name, in: context.workspace),
            fault: fault,
            context: context
        )
        return try site.page(
            "catalog",
            page,
            title: page.name,
            place: .campaigns,
            context: context,
            status: fault == nil ? .ok : .unprocessableContent
        )
    }
}
