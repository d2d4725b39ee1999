import Foundation
import Hummingbird
import Model
import Ports
import WebPages

/// The news: list, editor, deletion.
struct NewsRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let news: any NewsPages
    private let desk: DraftDesk

    init(site: ConsoleSite, news: any NewsPages) {
        self.site = site
        self.news = news
        gate = Gate(site: site)
        desk = DraftDesk(site: site, kind: .news)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
        router.get(
            RouterPath(ConsolePath.draft(.news, ":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await desk.open(visit, parameters) { draft, fields in
                    var known: NewsDetail?
                    if let id = Int64(draft.subject) {
                        known = try await news.newsItem(id: id, for: visit.member)
                    }
                    return try await editor(
                        NewsForm(fields: fields),
                        known: known,
                        visit,
                        frame: try await desk.frame(draft, fields, visit)
                    )
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.news.path),
            use: gate.member { visit, _ in
                let query = NewsListQuery(fields: visit.query)
                let list = try await news.news(query, for: visit.member)
                return try site.page(
                    "news",
                    NewsListPage(
                        list,
                        query: query,
                        drafts: try await desk.list(visit),
                        visit: visit
                    ),
                    title: visit.words("nav.news"),
                    place: .news,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.newNews.path),
            use: gate.member(.marketer) { visit, _ in
                try await editor(NewsForm(), known: nil, visit)
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
                return try await editor(
                    NewsForm(known.draft, visit: visit),
                    known: known,
                    visit
                )
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
        frame: DraftFrame? = nil,
        faults: [NewsFault] = []
    ) async throws -> Response {
        var frame = frame
        if frame == nil {
            frame = try await desk.frame(
                desk.new(subject: known.map { String($0.row.id) } ?? "", visit),
                version: known?.row.changedAt,
                visit
            )
        }
        let page = NewsItemPage(
            form,
            known: known,
            draft: visit.may(.marketer) ? frame : nil,
            faults: faults,
            visit: visit
        )
        return try site.page(
            "news-item",
            page,
            title: page.heading,
            place: .news,
            visit: visit,
            status: !faults.isEmpty
                ? .unprocessableContent : frame?.conflict == nil ? .ok : .conflict
        )
    }

    private func save(_ visit: Visit, known: NewsDetail?) async throws -> Response {
        let form = NewsForm(fields: visit.form)
        var kept = desk.posted(visit)
        kept.subject = known.map { String($0.row.id) } ?? ""
        kept = try await desk.keep(kept, visit)
        if let outcome = kept.outcome {
            return PageAnswer.redirect(to: ConsolePath.newsItem(outcome).path)
        }
        do {
            let draft = try form.checked(known: known?.draft, visit: visit)
            let id = try await news.saveNews(
                draft,
                id: known?.row.id,
                from: desk.origin(of: kept, visit.form),
                for: visit.member
            )
            let (notice, action): (Notice, AuditAction) =
                switch form.publication {
                case .draft: (.newsSaved, .newsSaved)
                case .now: (.newsPublished, .newsPublished)
                case .later: (.newsScheduled, .newsScheduled)
                }
            try await site.record(action, "#\(id)", detail: draft.title, visit)
            return PageAnswer.redirect(to: notice.address(.newsItem(String(id))))
        } catch let rejected as NewsRejected {
            return try await editor(
                form,
                known: known,
                visit,
                frame: desk.frame(kept, visit.form, visit),
                faults: rejected.faults
            )
        } catch let finished as DraftFinished {
            return PageAnswer.redirect(to: ConsolePath.newsItem(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await news.newsItem(id: known?.row.id ?? 0, for: visit.member)
            return try await editor(
                form,
                known: current,
                visit,
                frame: desk.frame(
                    kept,
                    version: current?.row.changedAt,
                    isConflict: true,
                    visit
                )
            )
        }
    }
}
