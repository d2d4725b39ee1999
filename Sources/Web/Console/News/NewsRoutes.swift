import Foundation
import Hummingbird
import Model
import News
import WebPages

/// The news: list, editor, deletion.
struct NewsRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let news: NewsService
    private let desk: DraftDesk

    init(site: ConsoleRenderer) {
        self.site = site
        news = site.services.news
        gate = ConsoleAuthenticator(site: site)
        desk = DraftDesk(site: site, kind: .news)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
        router.get(
            RouterPath(ConsolePath.draft(.news, ":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await desk.open(visit, parameters) { draft, fields in
                    try await editor(
                        NewsForm(fields: fields),
                        known: item(draft.subject, visit),
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
                let found = try await news.items(
                    in: visit.workspace,
                    matching: query.text,
                    state: query.state,
                    limit: query.page.size,
                    offset: query.page.offset
                )
                return try site.page(
                    "news",
                    NewsListPage(
                        found.items,
                        total: found.total,
                        reads: try await news.reads(of: found.items),
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
                    NewsForm(known.content, visit: visit),
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
                _ = try await news.delete(found(visit, parameters), by: visit.actor)
                return HTMLResponse.redirect(to: FlashMessage.newsDeleted.address(.news))
            }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> NewsItem {
        guard let item = try await item(parameters.get("news"), visit) else {
            throw PageProblem.notFound
        }
        return item
    }

    private func item(_ number: String?, _ visit: Visit) async throws -> NewsItem? {
        guard let id = number.flatMap({ Int64($0) }) else { return nil }
        return try await news.item(NewsID(id), in: visit.workspace)
    }

    private func editor(
        _ form: NewsForm,
        known: NewsItem?,
        _ visit: Visit,
        frame: DraftFrame? = nil,
        faults: [FormFault] = []
    ) async throws -> Response {
        var frame = frame
        if frame == nil {
            frame = try await desk.frame(
                desk.new(subject: known?.id.text ?? "", visit),
                version: known?.updatedAt,
                visit
            )
        }
        let readers = try await news.reads(of: known.map { [$0] } ?? []).values.first ?? 0
        let page = NewsEditorPage(
            form,
            known: known,
            readers: readers,
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

    private func save(_ visit: Visit, known: NewsItem?) async throws -> Response {
        let form = NewsForm(fields: visit.form)
        var kept = desk.posted(visit)
        kept.subject = known?.id.text ?? ""
        kept = try await desk.keep(kept, visit)
        if let outcome = kept.outcome {
            return HTMLResponse.redirect(to: ConsolePath.newsItem(outcome).path)
        }
        do {
            var content = known?.content ?? NewsContent(title: "")
            try form.apply(to: &content, isNew: known == nil, visit)
            let saved = try await save(
                content,
                as: known,
                from: desk.origin(of: kept, visit.form),
                visit
            )
            let notice: FlashMessage =
                switch form.publication {
                case .draft: .newsSaved
                case .now: .newsPublished
                case .later: .newsScheduled
                }
            return HTMLResponse.redirect(to: notice.address(.newsItem(saved.id.text)))
        } catch let rejected as FormRejected {
            return try await editor(
                form,
                known: known,
                visit,
                frame: desk.frame(kept, visit.form, visit),
                faults: rejected.faults
            )
        } catch let finished as DraftFinished {
            return HTMLResponse.redirect(to: ConsolePath.newsItem(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await item(kept.subject, visit)
            return try await editor(
                form,
                known: current,
                visit,
                frame: desk.frame(
                    kept,
                    version: current?.updatedAt,
                    isConflict: true,
                    visit
                )
            )
        }
    }

    /// - Throws: ``FormRejected`` and what `NewsService` throws.
    private func save(
        _ content: NewsContent,
        as known: NewsItem?,
        from origin: EditOrigin,
        _ visit: Visit
    ) async throws -> NewsItem {
        try await FormRejected.naming(visit.words, NewsField.name) {
            if let known,
                let saved = try await news.update(
                    known.id,
                    to: content,
                    by: visit.actor,
                    from: origin
                )
            {
                return saved
            }
            // Another member has deleted it meanwhile: the form creates a new item.
            return try await news.create(content, by: visit.actor, from: origin)
        }
    }
}
