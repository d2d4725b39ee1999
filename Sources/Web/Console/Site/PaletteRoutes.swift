import Audience
import Campaigns
import Foundation
import Hummingbird
import InAppMessages
import Journeys
import Model
import News
import NoroshiWire
import Sends
import Users
import WebPages

/// The results of the command palette (Ctrl or ⌘ K): pages, pushes, campaigns, in-app messages, news,
/// journeys, segments and users.
struct PaletteRoutes: Sendable {
    struct Hit: Codable {
        let kind: String
        let text: String
        let detail: String
        let address: String
    }

    private static let hitsOfAKind = 5

    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.palette.path),
            use: ConsoleAuthenticator(site: site).member { context, _ in
                let text = context.query.trimmed("text")
                let hits = pages(text, context) + (try await found(text, context))
                return HTMLResponse.json(try JSONEncoder().encode(hits))
            }
        )
    }

    private func pages(_ text: String, _ context: ConsoleContext) -> [Hit] {
        let words = context.words
        var pages = NavigationSection.available(to: context).map {
            (words($0.wordKey), $0.address)
        }
        if context.hasRole(atLeast: .marketer) {
            pages.append((words("push.new"), ConsolePath.newPush.path))
            pages.append((words("in_app.new"), ConsolePath.newInApp.path))
            pages.append((words("journeys.new"), ConsolePath.newJourney.path))
            pages.append((words("news.new"), ConsolePath.newNews.path))
            pages.append((words("segments.new"), ConsolePath.newSegment.path))
        }
        pages.append((words("blocks.title"), ConsolePath.contentBlocks.path))
        pages.append((words("catalogs.title"), ConsolePath.catalogs.path))
        if context.hasRole(atLeast: .administrator) {
            pages += SettingsTab.allCases.map { (words($0.wordKey), $0.path.path) }
        }
        return pages.filter { text.isEmpty || $0.0.localizedStandardContains(text) }
            .map { Hit(kind: words("palette.page"), text: $0.0, detail: "", address: $0.1) }
    }

    private func found(_ text: String, _ context: ConsoleContext) async throws -> [Hit] {
        guard !text.isEmpty else { return [] }
        let words = context.words
        var hits: [Hit] = []
        let pushes = try await site.services.sends.history(
            of: context.workspace,
            matching: SendQuery(text: text),
            page: ListPage(size: Self.hitsOfAKind)
        ).reports
        for push in pushes {
            let row = PushRow(push, context: context)
            hits.append(
                Hit(
                    kind: words("nav.push"),
                    text: row.title,
                    detail: row.message,
                    address: row.address
                )
            )
        }
        hits += try await written(text, context)
        let segments = site.services.segments
        let matching = try await segments.segments(in: context.workspace)
            .filter { $0.content.name.localizedStandardContains(text) }
        if !matching.isEmpty {
            let book = try await segments.book(of: context.workspace)
            for segment in matching.prefix(Self.hitsOfAKind) {
                hits.append(
                    Hit(
                        kind: words("nav.segments"),
                        text: segment.content.name,
                        detail: try segments.text(of: segment, book: book),
                        address: ConsolePath.segment(segment.id).path
                    )
                )
            }
        }
        let page = ListPage(size: Self.hitsOfAKind)
        let users = try await site.services.users.users(matching: text, page, in: context.workspace)
        for user in users.users {
            let row = UsersPage.Row(user, context: context)
            hits.append(
                Hit(
                    kind: words("nav.users"),
                    text: row.title,
                    detail: row.name,
                    address: row.address
                )
            )
        }
        return hits
    }

    /// Campaigns, in-app messages, news and journeys.
    private func written(_ text: String, _ context: ConsoleContext) async throws -> [Hit] {
        let (words, workspace) = (context.words, context.workspace)
        let campaigns = try await site.services.campaigns.campaigns(
            in: workspace,
            matching: text,
            page: ListPage(size: Self.hitsOfAKind)
        ).campaigns.map { campaign in
            Hit(
                kind: words("nav.campaigns"),
                text: campaign.content.name,
                detail: campaign.content.note,
                address: ConsolePath.campaign("\(campaign.id)").path
            )
        }
        let messages = try await site.services.inApp.messages(
            in: workspace,
            matching: InAppMessageQuery(
                text: text,
                states: [.draft, .active, .paused],
                limit: Self.hitsOfAKind
            )
        ).messages.map { message in
            Hit(
                kind: words("nav.in_app"),
                text: message.name,
                detail: message.message.header ?? message.message.message,
                address: ConsolePath.inAppMessage(message.id.uuidString.lowercased()).path
            )
        }
        let news = try await site.services.news.items(
            in: workspace,
            matching: text,
            state: nil,
            limit: Self.hitsOfAKind,
            offset: 0
        ).items.map { item in
            Hit(
                kind: words("nav.news"),
                text: item.content.title,
                detail: item.content.text,
                address: ConsolePath.newsItem("\(item.id)").path
            )
        }
        return campaigns + messages + news + (try await journeys(text, context))
    }

    private func journeys(_ text: String, _ context: ConsoleContext) async throws -> [Hit] {
        try await site.services.journeys.journeys(
            in: context.workspace,
            matching: JourneyQuery(text: text, limit: Self.hitsOfAKind)
        ).journeys.map { journey in
            Hit(
                kind: context.words("nav.journeys"),
                text: journey.draft.name,
                detail: journey.draft.note,
                address: ConsolePath.journey("\(journey.id)").path
            )
        }
    }
}
