import Campaigns
import Foundation
import Hummingbird
import Model
import Reasons
import Scheduling
import Sends
import WebPages

/// The calendar of what is planned, and moving something on it.
struct CalendarRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.calendar.path),
            use: gate.member { context, _ in
                try await page(month(context.query, context), context)
            }
        )
        router.post(
            RouterPath(ConsolePath.moveOnCalendar.path),
            use: gate.member(.marketer) { context, _ in try await move(context) }
        )
    }

    /// What is no month is this one.
    private func month(_ fields: FormFields, _ context: ConsoleContext) -> CalendarMonth {
        CalendarMonth(fields["month"])
            ?? CalendarMonth(of: WallClock.day(of: context.now, in: context.zone))
    }

    private func page(
        _ month: CalendarMonth,
        _ context: ConsoleContext,
        problem: String? = nil
    ) async throws -> Response {
        let plan = try await site.services.calendar.plan(
            of: month.weeks,
            in: context.workspace,
            zone: context.zone
        )
        return try site.page(
            "calendar",
            CalendarPage(month, plan, problem: problem, context: context),
            title: context.words("calendar.title"),
            place: .campaigns,
            context: context
        )
    }

    private func move(_ context: ConsoleContext) async throws -> Response {
        let month = month(context.form, context)
        guard let day = CalendarDay(context.form["day"]) else {
            return try await page(month, context, problem: context.words("calendar.no_day"))
        }
        do {
            guard let subject = try await subject(context),
                try await site.services.calendar.move(
                    subject,
                    to: day,
                    by: context.actor,
                    zone: context.zone
                )
            else {
                return try await page(month, context, problem: context.words("calendar.moved_on"))
            }
        } catch let error as ValidationError {
            let text = error.problems.first.map { context.words($0.reason) }
            return try await page(month, context, problem: text)
        } catch let refusal as RefusalError {
            return try await page(month, context, problem: context.words(refusal.reason))
        }
        let fields = [
            ("month", CalendarMonth(of: day).description),
            ("notice", FlashMessage.calendarMoved.rawValue),
        ]
        return HTMLResponse.redirect(to: ConsolePath.calendar.query(FormFields(fields)))
    }

    /// What a form names, if it is there.
    private func subject(_ context: ConsoleContext) async throws -> PlannedMessage.Subject? {
        let parts = context.form["subject"].split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let id = Int64(parts[1]) else { return nil }
        switch parts[0] {
        case "push":
            return try await site.services.sends.send(SendID(id), in: context.workspace)
                .map(PlannedMessage.Subject.push)
        case "campaign":
            return try await site.services.campaigns.campaign(
                CampaignID(id),
                in: context.workspace
            ).map(PlannedMessage.Subject.campaign)
        default: return nil
        }
    }
}
