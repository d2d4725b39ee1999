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
            use: gate.member(.marketer) { context, parameters in
                try await desk.open(context, parameters) { draft, fields in
                    try await editor(
                        NewsForm(fields: fields),
                        known: item(draft.subject, context),
                        context,
                        frame: try await desk.frame(draft, fields, context)
                    )
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.news.path),
            use: gate.member { context, _ in
                let query = NewsListQuery(fields: context.query)
                let found = try await news.items(
                    in: context.workspace,
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
                        drafts: try await desk.list(context),
                        context: context
                    ),
                    title: context.words("nav.news"),
                    place: .news,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.newNews.path),
            use: gate.member(.marketer) { context, _ in
                try await editor(NewsForm(), known: nil, context)
            }
        )
        router.post(
            RouterPath(ConsolePath.newNews.path),
            use: gate.member(.marketer) { context, _ in try await save(context, known: nil) }
        )
        router.get(
            RouterPath(ConsolePath.newsItem(":news").path),
            use: gate.member { context, parameters in
                let known = try await found(context, parameters)
                return try await editor(
                    NewsForm(known.content, context: context),
                    known: known,
                    context
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.newsItem(":news").path),
            use: gate.member(.marketer) { context, parameters in
                try await save(context, known: found(context, parameters))
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteNews(":news").path),
            use: gate.member(.marketer) { context, parameters in
                _ = try await news.delete(found(context, parameters), by: context.actor)
                return HTMLResponse.redirect(to: FlashMessage.newsDeleted.address(.news))
            }
        )
    }

    private func found(_ context: ConsoleContext, _ parameters: Parameters) async throws -> NewsItem
    {
        guard let item = try await item(parameters.get("news"), context) else {
            throw PageError.notFound
        }
        return item
    }

    private func item(_ number: String?, _ context: ConsoleContext) async throws -> NewsItem? {
        guard let id = number.flatMap({ Int64($0) }) else { return nil }
        return try await news.item(NewsID(id), in: context.workspace)
    }

    private func editor(
        _ form: NewsForm,
        known: NewsItem?,
        _ context: ConsoleContext,
        frame: DraftFrame? = nil,
        faults: [FormFieldError] = []
    ) async throws -> Response {
        var frame = frame
        if frame == nil {
            frame = try await desk.frame(
                desk.new(subject: known?.id.text ?? "", context),
                version: known?.updatedAt,
                context
            )
        }
        let readers = try await news.reads(of: known.map { [$0] } ?? []).values.first ?? 0
        let page = NewsEditorPage(
            form,
            known: known,
            readers: readers,
            draft: context.hasRole(atLeast: .marketer) ? frame : nil,
            faults: faults,
            context: context
        )
        return try site.page(
            "news-item",
            page,
            title: page.heading,
            place: .news,
            context: context,
            status: !faults.isEmpty
                ? .unprocessableContent : frame?.conflict == nil ? .ok : .conflict
        )
    }

    private func save(_ context: ConsoleContext, known: NewsItem?) async throws -> Response {
        let form = NewsForm(fields: context.form)
        var kept = desk.posted(context)
        kept.subject = known?.id.text ?? ""
        kept = try await desk.keep(kept, context)
        if let outcome = kept.outcome {
            return HTMLResponse.redirect(to: ConsolePath.newsItem(outcome).path)
        }
        do {
            var content = known?.content ?? NewsContent(title: "")
            try form.apply(to: &content, isNew: known == nil, context)
            let saved = try await save(
                content,
                as: known,
                from: desk.origin(of: kept, context.form),
                context
            )
            let notice: FlashMessage =
                switch form.publication {
                case .draft: .newsSaved
                case .now: .newsPublished
                case .later: .newsScheduled
                }
            return HTMLResponse.redirect(to: notice.address(.newsItem(saved.id.text)))
        } catch let rejected as FormError {
            return try await editor(
                form,
                known: known,
                context,
                frame: desk.frame(kept, context.form, context),
                faults: rejected.faults
            )
        } catch let finished as DraftFinishedError {
            return HTMLResponse.redirect(to: ConsolePath.newsItem(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await item(kept.subject, context)
            return try await editor(
                form,
                known: current,
                context,
                frame: desk.frame(
                    kept,
                    version: current?.updatedAt,
                    isConflict: true,
                    context
                )
            )
        }
    }

    /// - Throws: ``FormError`` and what `NewsService` throws.
    private func save(
        _ content: NewsContent,
        as known: NewsItem?,
        from origin: EditOrigin,
        _ context: ConsoleContext
    ) async throws -> NewsItem {
        try await FormError.naming(context.words, NewsField.name) {
            if let known,
                let saved = try await news.update(
                    known.id,
                    to: content,
                    by: context.actor,
                    from: origin
                )
            {
                return saved
            }
            // Another member has deleted it meanwhile: the form creates a new item.
            return try await news.create(content, by: context.actor, from: origin)
        }
    }
}
