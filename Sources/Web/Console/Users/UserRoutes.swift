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
            use: gate.member { visit, _ in
                let text = visit.query["text"]
                let page = ListPage(named: visit.query["page"], size: Self.pageLength)
                let list = try await users.users(matching: text, page, in: visit.workspace)
                return try site.page(
                    "users",
                    UsersPage(list, text: text, page: page, visit: visit),
                    title: visit.words("nav.users"),
                    place: .users,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.user(":user").path),
            use: gate.member { visit, parameters in try await profile(visit, parameters) }
        )
        router.get(
            RouterPath(ConsolePath.userTimeline(":user").path),
            use: gate.member { visit, parameters in try await timeline(visit, parameters) }
        )
        router.get(
            RouterPath(ConsolePath.userSegments(":user").path),
            use: gate.member { visit, parameters in try await segments(visit, parameters) }
        )
        router.post(
            RouterPath(ConsolePath.deleteUser(":user").path),
            use: gate.member(.administrator) { visit, parameters in
                let user = try await found(visit, parameters)
                _ = try await site.services.identities.delete([user.profile.id], by: visit.actor)
                return HTMLResponse.redirect(to: FlashMessage.userDeleted.address(.users))
            }
        )
        router.get(
            RouterPath(ConsolePath.userFigures(":user").path),
            use: gate.member { visit, parameters in try await figures(visit, parameters) }
        )
    }

    private func profile(_ visit: Visit, _ parameters: Parameters) async throws -> Response {
        guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
            let user = try await users.user(id, in: visit.workspace)
        else { throw PageProblem.notFound }
        let entries = try await site.entries(
            of: user.summary.profile,
            limit: Self.shownEntries,
            visit
        )
        let page = UserPage(user, entries: entries, visit: visit)
        return try site.page(
            "user",
            page,
            title: page.title,
            place: .users,
            visit: visit
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> UserSummary {
        guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
            let user = try await users.user(id, in: visit.workspace)
        else { throw PageProblem.notFound }
        return user.summary
    }

    /// The segments that the user is in: a part that the page loads separately.
    private func segments(_ visit: Visit, _ parameters: Parameters) async throws -> Response {
        let user = try await found(visit, parameters)
        var found: [StoredSegment] = []
        let book = try await site.services.segments.book(of: visit.workspace)
        for segment in try await site.services.segments.segments(in: visit.workspace) {
            do {
                let explanation = try await site.services.inspector.explain(
                    try site.services.segments.text(of: segment, book: book),
                    for: user.profile.id,
                    in: visit.workspace
                )
                if explanation?.holds == true { found.append(segment) }
            } catch is AudienceProblem {
                continue
            } catch is SegmentProblem {
                // What it refers to is gone.
                continue
            }
        }
        return try site.part("user-segments", UserSegmentsPart(found), visit: visit)
    }

    /// What the user got and did so far: a part that the page loads separately, too.
    private func figures(_ visit: Visit, _ parameters: Parameters) async throws -> Response {
        guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
            let figures = try await users.figures(of: id, in: visit.workspace)
        else { throw PageProblem.notFound }
        return try site.part("user-figures", UserFiguresPart(figures, visit: visit), visit: visit)
    }

    /// The user's timeline: a part that the page loads separately, because it takes longer.
    private func timeline(_ visit: Visit, _ parameters: Parameters) async throws -> Response {
        let id = try await found(visit, parameters).profile.id
        let before = Int64(visit.query["before"]).flatMap(Timestamp.date(milliseconds:))
        let entries = try await users.timeline(
            of: id,
            topic: TimelineEntry.Topic(rawValue: visit.query["topic"]),
            before: before,
            limit: Self.timelineLength,
            in: visit.workspace
        )
        let timeline = UserTimeline(
            entries,
            user: id,
            isComplete: entries.count < Self.timelineLength,
            visit: visit
        )
        return try site.part("user-timeline", timeline, visit: visit)
    }
}
