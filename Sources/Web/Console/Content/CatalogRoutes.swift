import Foundation
import Hummingbird
import Model
import WebPages

/// The catalogs: list, items, deletion.
struct CatalogRoutes: Sendable {
    private static let pageLength = 25

    private let site: ConsoleSite
    private let gate: Gate
    private let content: any ContentPages

    init(site: ConsoleSite, content: any ContentPages) {
        self.site = site
        self.content = content
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.catalogs.path),
            use: gate.member { visit, _ in try await list(CatalogDraft(), visit) }
        )
        router.post(
            RouterPath(ConsolePath.catalogs.path),
            use: gate.member(.marketer) { visit, _ in
                let draft = CatalogDraft(fields: visit.form)
                do {
                    try await content.create(draft, for: visit.member)
                } catch let rejected as ContentRejected {
                    return try await list(draft, visit, rejected)
                }
                return PageAnswer.redirect(to: Notice.catalogSaved.address(.catalog(draft.name)))
            }
        )
        router.get(
            RouterPath(ConsolePath.catalog(":catalog").path),
            use: gate.member { visit, parameters in
                let name = try parameters.require("catalog")
                let item =
                    visit.query.has("item")
                    ? try await content.catalogItem(
                        visit.query["item"],
                        of: name,
                        for: visit.member
                    ) : nil
                return try await catalog(name, item: item, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteCatalog(":catalog").path),
            use: gate.member(.marketer) { visit, parameters in
                let name = try parameters.require("catalog")
                do {
                    try await content.deleteCatalog(named: name, for: visit.member)
                } catch let rejected as ContentRejected {
                    return try await catalog(name, item: nil, visit, rejected)
                }
                return PageAnswer.redirect(to: Notice.catalogDeleted.address(.catalogs))
            }
        )
        addItems(to: router)
    }

    private func addItems<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post(
            RouterPath(ConsolePath.catalogItems(":catalog").path),
            use: gate.member(.marketer) { visit, parameters in
                let name = try parameters.require("catalog")
                let texts = visit.form.entries.filter { $0.name.hasPrefix("value.") }
                let item = CatalogItemValues(
                    id: visit.form["id"].trimmingCharacters(in: .whitespaces),
                    values: Dictionary(
                        texts.map { (String($0.name.dropFirst(6)), $0.value) },
                        uniquingKeysWith: { $1 }
                    )
                )
                do {
                    try await content.save(item, in: name, for: visit.member)
                } catch let rejected as ContentRejected {
                    return try await catalog(name, item: item, visit, rejected)
                }
                return PageAnswer.redirect(to: Notice.catalogSaved.address(.catalog(name)))
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteCatalogItem(":catalog", ":item").path),
            use: gate.member(.marketer) { visit, parameters in
                let name = try parameters.require("catalog")
                let item = try parameters.require("item")
                try await content.deleteItem(item, of: name, for: visit.member)
                return PageAnswer.redirect(to: Notice.catalogSaved.address(.catalog(name)))
            }
        )
    }

    private func list(
        _ draft: CatalogDraft,
        _ visit: Visit,
        _ rejected: ContentRejected? = nil
    ) async throws -> Response {
        let catalogs = try await content.catalogs(for: visit.member)
        return try site.page(
            "catalogs",
            CatalogsPage(catalogs, draft: draft, rejected: rejected, visit: visit),
            title: visit.words("catalogs.title"),
            place: .campaigns,
            visit: visit,
            status: rejected == nil ? .ok : .unprocessableContent
        )
    }

    private func catalog(
        _ name: String,
        item: CatalogItemValues?,
        _ visit: Visit,
        _ rejected: ContentRejected? = nil
    ) async throws -> Response {
        let after = visit.query["after"]
        let found = try await content.catalog(
            named: name,
            after: after.isEmpty ? nil : after,
            limit: Self.pageLength + 1,
            for: visit.member
        )
        guard var detail = found else { throw PageProblem.notFound }
        let hasMore = detail.items.count > Self.pageLength
        detail.items = Array(detail.items.prefix(Self.pageLength))
        let page = CatalogPage(
            detail,
            hasMore: hasMore,
            item: item,
            rejected: rejected,
            visit: visit
        )
        return try site.page(
            "catalog",
            page,
            title: page.name,
            place: .campaigns,
            visit: visit,
            status: rejected == nil ? .ok : .unprocessableContent
        )
    }
}
