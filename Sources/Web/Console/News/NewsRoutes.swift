import Foundation
import Hummingbird
import Model
import WebPages

/// The news: list, editor, deletion.
struct NewsRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let news: any NewsPages

    init(site: ConsoleSite, news: any NewsPages) {
        self.site = site
        self.news = news
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.news.path),
            use: gate.member { visit, _ in
                let query = NewsListQuery(fields: visit.query)
                let list = try await news.news(query, for: visit.member)
                return try site.page(
                    "news",
                    NewsListPage(list, query: query, visit: visit),
                    title: visit.words("nav.news"),
                    place: .news,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.newNews.path),
            use: gate.member(.marketer) { visit, _ in
                try editor(NewsForm(), known: nil, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.newNews.path),
            use: gate.member(.marketer) { visit, _ in try await save(visit, known: nil) }
        )
        router.get(
            RouterPath(ConsolePath.newsItem(":news").path),
            use: gate.member { visit, parameters in
                let known = try await found(visit, parameters)
                return try editor(NewsForm(known.draft, visit: visit), known: known, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.newsItem(":news").path),
            use: gate.member(.marketer) { visit, parameters in
                try await save(visit, known: found(visit, parameters))
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteNews(":news").path),
            use: gate.member(.marketer) { visit, parameters in
                let row = try await found(visit, parameters).row
                try await news.deleteNews(id: row.id, for: visit.member)
                try await site.record(.newsDeleted, "#\(row.id)", detail: row.title, visit)
                return PageAnswer.redirect(to: Notice.newsDeleted.address(.news))
            }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> NewsDetail {
        guard let id = parameters.get("news", as: Int64.self),
            let item = try await news.newsItem(id: id, for: visit.member)
        else { throw PageProblem.notFound }
        return item
    }

    private func editor(
        _ form: NewsForm,
        known: NewsDetail?,
        _ visit: Visit,
        faults: [NewsFault] = []
    ) throws -> Response {
        let page = NewsItemPage(form, known: known, faults: faults, visit: visit)
        return try site.page(
            "news-item",
            page,
            title: page.heading,
            place: .news,
            visit: visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    private func save(_ visit: Visit, known: NewsDetail?) async throws -> Response {
        let form = NewsForm(fields: visit.form)
        do {
            let draft = try form.checked(known: known?.draft, visit: visit)
            let id = try await news.saveNews(draft, id: known?.row.id, for: visit.member)
            let (notice, action): (Notice, AuditAction) =
                switch form.publication {
                case .draft: (.newsSaved, .newsSaved)
                case .now: (.newsPublished, .newsPublished)
                case .later: (.newsScheduled, .newsScheduled)
                }
            try await site.record(action, "#\(id)", detail: draft.title, visit)
            return PageAnswer.redirect(to: notice.address(.newsItem(String(id))))
        } catch let rejected as NewsRejected {
            return try editor(form, known: known, visit, faults: rejected.faults)
        }
    }
}
