import Foundation
import Hummingbird
import Model
import WebPages

/// The page that says why a user got a push or a campaign, or did not.
struct WhyRoutes: Sendable {
    /// How many of the newest pushes and campaigns can be chosen.
    private static let choices = 50

    private let site: ConsoleSite
    private let why: any WhyPages

    init(site: ConsoleSite, why: any WhyPages) {
        self.site = site
        self.why = why
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.why.path),
            use: Gate(site: site).member { visit, _ in try await page(visit) }
        )
    }

    private func page(_ visit: Visit) async throws -> Response {
        let user = visit.query["user"].trimmingCharacters(in: .whitespaces)
        let subject = WhySubject(visit.query["about"])
        var answer: WhyAnswer?
        if let subject, !user.isEmpty {
            answer = try await why.explain(subject, user: user, for: visit.member)
        }
        let content = WhyPage(
            user: user,
            subject: subject,
            pushes: try await pushes(subject, visit),
            campaigns: try await campaigns(subject, visit),
            answer: answer,
            isUnknown: subject != nil && !user.isEmpty && answer == nil,
            visit: visit
        )
        return try site.page(
            "why",
            content,
            title: visit.words("why.title"),
            place: .users,
            visit: visit
        )
    }

    /// The newest pushes, and the one that is asked about.
    private func pushes(_ subject: WhySubject?, _ visit: Visit) async throws -> [PushSummary] {
        var query = PushHistoryQuery()
        query.page = ListPage(size: Self.choices)
        var found = try await site.services.pushHistory(query, for: visit.member).rows
        if case .push(let number) = subject, !found.contains(where: { $0.number == number }),
            let push = try await site.services.push(number: number, for: visit.member)
        {
            found.append(push.summary)
        }
        return found
    }

    private func campaigns(_ subject: WhySubject?, _ visit: Visit) async throws -> [CampaignRow] {
        guard let campaigns = site.features.campaigns else { return [] }
        var query = CampaignListQuery()
        query.page = ListPage(size: Self.choices)
        var found = try await campaigns.campaigns(query, for: visit.member).rows
        if case .campaign(let id) = subject, !found.contains(where: { $0.id == id }),
            let campaign = try await campaigns.campaign(id: id, for: visit.member)
        {
            found.append(campaign.row)
        }
        return found
    }
}

extension WhySubject {
    /// As the address of the page names it, such as `push:12`.
    init?(_ text: String) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let number = Int64(parts[1]) else { return nil }
        switch parts[0] {
        case "push": self = .push(number)
        case "campaign": self = .campaign(number)
        default: return nil
        }
    }

    /// The address of the page that asks about this.
    func address(user: String = "") -> String {
        let text: String =
            switch self {
            case .push(let number): "push:\(number)"
            case .campaign(let id): "campaign:\(id)"
            }
        return ConsolePath.why.query(
            FormFields([("about", text)]).setting("user", to: user)
        )
    }
}
