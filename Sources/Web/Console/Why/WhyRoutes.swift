import Campaigns
import Delivery
import Hummingbird
import Model
import Sends
import Users
import WebPages

/// The page that explains why a user got a push or a campaign, or did not.
struct WhyRoutes: Sendable {
    /// Number of the newest pushes and campaigns to choose from.
    private static let choices = 50

    /// Maximum number of explained launches of a campaign.
    private static let launches = 10

    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.why.path),
            use: ConsoleAuthenticator(site: site).member { visit, _ in try await page(visit) }
        )
    }

    private func page(_ visit: Visit) async throws -> Response {
        let user = visit.query.trimmed("user")
        let subject = DeliveryExplanationSubject(visit.query["about"])
        var answer: WhyPage.Answer?
        if let subject, !user.isEmpty { answer = try await explain(subject, to: user, visit) }
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

    /// - Parameter user: Any identifier: external id, e-mail address, `braze_id` …
    /// - Returns: `nil` if the user, push or campaign does not exist.
    private func explain(
        _ subject: DeliveryExplanationSubject,
        to user: String,
        _ visit: Visit
    ) async throws -> WhyPage.Answer? {
        let explainer = site.services.explainer
        let found = try await site.services.users.user(identifiedBy: user, in: visit.workspace)
        guard let profile = found?.summary.profile else { return nil }
        let reference = UserReference.profile(profile.publicID)
        let launches: [DeliveryExplanation]?
        switch subject {
        case .push(let id):
            launches = try await explainer.explain(send: id, to: reference, in: visit.workspace)
                .map { [$0] }
        case .campaign(let id):
            launches = try await explainer.explain(
                campaign: id,
                to: reference,
                in: visit.workspace,
                limit: Self.launches
            )?.launches
        }
        return launches.map { WhyPage.Answer(profile: profile, launches: $0) }
    }

    /// The newest pushes, and the selected one.
    private func pushes(_ subject: DeliveryExplanationSubject?, _ visit: Visit) async throws
        -> [SendReport]
    {
        let sends = site.services.sends
        var found = try await sends.history(
            of: visit.workspace,
            page: ListPage(size: Self.choices)
        ).reports
        if case .push(let id) = subject, !found.contains(where: { $0.send.id == id }),
            let push = try await sends.report(id, in: visit.workspace)
        {
            found.append(push)
        }
        return found
    }

    private func campaigns(_ subject: DeliveryExplanationSubject?, _ visit: Visit) async throws
        -> [Campaign]
    {
        let campaigns = site.services.campaigns
        var found = try await campaigns.campaigns(
            in: visit.workspace,
            page: ListPage(size: Self.choices)
        ).campaigns
        if case .campaign(let id) = subject, !found.contains(where: { $0.id == id }),
            let campaign = try await campaigns.campaign(id, in: visit.workspace)
        {
            found.append(campaign)
        }
        return found
    }
}
