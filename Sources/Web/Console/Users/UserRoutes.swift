import Foundation
import Hummingbird
import Model
import WebPages

/// The users' list and profiles.
struct UserRoutes: Sendable {
    private static let timelineLength = 50

    private let site: ConsoleSite
    private let users: any UserPages

    init(site: ConsoleSite, users: any UserPages) {
        self.site = site
        self.users = users
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = Gate(site: site)
        router.get(
            RouterPath(ConsolePath.users.path),
            use: gate.member { visit, _ in
                let query = UserQuery(fields: visit.query)
                let list = try await users.users(query, for: visit.member)
                return try site.page(
                    "users",
                    UsersPage(list, query: query, visit: visit),
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
    }

    private func profile(_ visit: Visit, _ parameters: Parameters) async throws -> Response {
        guard let id = parameters.get("user", as: Int64.self),
            let profile = try await users.user(id: id, for: visit.member)
        else { throw PageProblem.notFound }
        let page = UserPage(profile, visit: visit)
        return try site.page(
            "user",
            page,
            title: page.title,
            place: .users,
            visit: visit
        )
    }

    /// What happened to the user: a part that the page fetches, because it takes longer.
    private func timeline(_ visit: Visit, _ parameters: Parameters) async throws -> Response {
        guard let id = parameters.get("user", as: Int64.self) else { throw PageProblem.notFound }
        let before = Int64(visit.query["before"]).flatMap(Timestamp.date(milliseconds:))
        let entries = try await users.timeline(
            ofUser: id,
            before: before,
            limit: Self.timelineLength,
            for: visit.member
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
