import Audience
import Foundation
import Hummingbird
import Model
import Segments
import Users
import WebPages

/// The users' list and profiles.
struct UserRoutes: Sendable {
    private static let pageLength = 25
    private static let timelineLength = 50
    /// Number of the newest entries into journeys.
    private static let shownEntries = 10

    private let site: ConsoleRenderer
    private let users: UserDirectory

    init(site: ConsoleRenderer) {
        self.site = site
        users = site.services.users
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        router.get(
            RouterPath(ConsolePath.users.path),
            use: gate.member { context, _ in
                let text = context.query["text"]
                let page = ListPage(named: context.query["page"], size: Self.pageLength)
                let list = try await users.users(matching: text, page, in: context.workspace)
                return try site.page(
                    "users",
                    UsersPage(list, text: text, page: page, context: context),
                    title: context.words("nav.users"),
                    place: .users,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.user(":user").path),
            use: gate.member { context, parameters in try await profile(context, parameters) }
        )
        router.get(
            RouterPath(ConsolePath.userTimeline(":user").path),
            use: gate.member { context, parameters in try await timeline(context, parameters) }
        )
        router.get(
            RouterPath(ConsolePath.userSegments(":user").path),
            use: gate.member { context, parameters in try await segments(context, parameters) }
        )
        router.post(
            RouterPath(ConsolePath.deleteUser(":user").path),
            use: gate.member(.administrator) { context, parameters in
                let user = try await found(context, parameters)
                _ = try await site.services.identities.delete([user.profile.id], by: context.actor)
                return HTMLResponse.redirect(to: FlashMessage.userDeleted.address(.users))
            }
        )
        router.get(
            RouterPath(ConsolePath.userFigures(":user").path),
            use: gate.member { context, parameters in try await figures(context, parameters) }
        )
    }

    private func profile(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> Response
    {
        guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
            let user = try await users.user(id, in: context.workspace)
        else { throw PageError.notFound }
        let entries = try await site.entries(
            of: user.summary.profile,
            limit: Self.shownEntries,
            context
        )
        let page = UserPage(user, entries: entries, context: context)
        return try site.page(
            "user",
            page,
            title: page.title,
            place: .users,
            context: context
        )
    }

    private func found(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> UserSummary
    {
        guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
            let user = try await users.user(id, in: context.workspace)
        else { throw PageError.notFound }
        return user.summary
    }

    /// The segments that the user is in: a part that the page loads separately.
    private func segments(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> Response
    {
        let user = try await found(context, parameters)
        var found: [StoredSegment] = []
        let book = try await site.services.segments.book(of: context.workspace)
        for segment in try await site.services.segments.segments(in: context.workspace) {
            do {
                let explanation = try await site.services.inspector.explain(
                    try site.services.segments.text(of: segment, book: book),
                    for: user.profile.id,
                    in: context.workspace
                )
                if explanation?.holds == true { found.append(segment) }
            } catch is AudienceError {
                continue
            } catch is SegmentError {
                // What it refers to is gone.
                continue
            }
        }
        return try site.part("user-segments", UserSegmentsPart(found), context: context)
    }

    /// What the user got and did so far: a part that the page loads separately, too.
    private func figures(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> Response
    {
        guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
            let figures = try await users.figures(of: id, in: context.workspace)
        else { throw PageError.notFound }
        return try site.part(
            "user-figures",
            UserFiguresPart(figures, context: context),
            context: context
        )
    }

    /// The user's timeline: a part that the page loads separately, because it takes longer.
    private func timeline(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> Response
    {
        let id = try await found(context, parameters).profile.id
        let before = Int64(context.query["before"]).flatMap(Timestamp.date(milliseconds:))
        let entries = try await users.timeline(
            of: id,
            topic: TimelineEntry.Topic(rawValue: context.query["topic"]),
            before: before,
            limit: Self.timelineLength,
            in: context.workspace
        )
        let timeline = UserTimeline(
            entries,
            user: id,
            isComplete: entries.count < Self.timelineLength,
            context: context
        )
        return try site.part("user-timeline", timeline, context: context)
    }
}
