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
            use: ConsoleAuthenticator(site: site).member { context, _ in try await page(context) }
        )
    }

    private func page(_ context: ConsoleContext) async throws -> Response {
        let user = context.query.trimmed("user")
        let subject = DeliveryExplanationSubject(context.query["about"])
        var answer: WhyPage.Answer?
        if let subject, !user.isEmpty { answer = try await explain(subject, to: user, context) }
        let content = WhyPage(
            user: user,
            subject: subject,
            pushes: try await pushes(subject, context),
            campaigns: try await campaigns(subject, context),
            answer: answer,
            isUnknown: subject != nil && !user.isEmpty && answer == nil,
            context: context
        )
        return try site.page(
            "why",
            content,
            title: context.words("why.title"),
            place: .users,
            context: context
        )
    }

    /// - Parameter user: Any identifier: external id, e-mail address, `braze_id` …
    /// - Returns: `nil` if the user, push or campaign does not exist.
    private func explain(
        _ subject: DeliveryExplanationSubject,
        to user: String,
        _ context: ConsoleContext
    ) async throws -> WhyPage.Answer? {
        let explainer = site.services.explainer
        let found = try await site.services.users.user(identifiedBy: user, in: context.workspace)
        guard let profile = found?.summary.profile else { return nil }
        let reference = UserReference.profile(profile.publicID)
        let launches: [DeliveryExplanation]?
        switch subject {
        case .push(let id):
            launches = try await explainer.explain(send: id, to: reference, in: context.workspace)
                .map { [$0] }
        case .campaign(let id):
            launches = try await explainer.explain(
                campaign: id,
                to: reference,
                in: context.workspace,
                limit: Self.launches
            )?.launches
        }
        return launches.map { WhyPage.Answer(profile: profile, launches: $0) }
    }

    /// The newest pushes, and the selected one.
    private func pushes(_ subject: DeliveryExplanationSubject?, _ context: ConsoleContext)
        async throws
        -> [SendReport]
    {
        let sends = site.services.sends
        var found = try await sends.history(
            of: context.workspace,
            page: ListPage(size: Self.choices)
        ).reports
        if case .push(let id) = subject, !found.contains(where: { $0.send.id == id }),
            let push = try await sends.report(id, in: context.workspace)
        {
            found.append(push)
        }
        return found
    }

    private func campaigns(_ subject: DeliveryExplanationSubject?, _ context: ConsoleContext)
        async throws
        -> [Campaign]
    {
        let campaigns = site.services.campaigns
        var found = try await campaigns.campaigns(
            in: context.workspace,
            page: ListPage(size: Self.choices)
        ).campaigns
        if case .campaign(let id) = subject, !found.contains(where: { $0.id == id }),
            let campaign = try await campaigns.campaign(id, in: context.workspace)
        {
            found.append(campaign)
        }
        return found
    }
}
