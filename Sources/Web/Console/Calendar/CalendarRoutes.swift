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
            use: gate.member { visit, _ in
                try await page(month(visit.query, visit), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.moveOnCalendar.path),
            use: gate.member(.marketer) { visit, _ in try await move(visit) }
        )
    }

    /// What is no month is this one.
    private func month(_ fields: FormFields, _ visit: Visit) -> CalendarMonth {
        CalendarMonth(fields["month"])
            ?? CalendarMonth(of: WallClock.day(of: visit.now, in: visit.zone))
    }

    private func page(
        _ month: CalendarMonth,
        _ visit: Visit,
        problem: String? = nil
    ) async throws -> Response {
        let plan = try await site.services.calendar.plan(
            of: month.weeks,
            in: visit.workspace,
            zone: visit.zone
        )
        return try site.page(
            "calendar",
            CalendarPage(month, plan, problem: problem, visit: visit),
            title: visit.words("calendar.title"),
            place: .campaigns,
            visit: visit
        )
    }

    private func move(_ visit: Visit) async throws -> Response {
        let month = month(visit.form, visit)
        guard let day = CalendarDay(visit.form["day"]) else {
            return try await page(month, visit, problem: visit.words("calendar.no_day"))
        }
        do {
            guard let subject = try await subject(visit),
                try await site.services.calendar.move(
                    subject,
                    to: day,
                    by: visit.actor,
                    zone: visit.zone
                )
            else {
                return try await page(month, visit, problem: visit.words("calendar.moved_on"))
            }
        } catch let error as ValidationError {
            let text = error.problems.first.map { visit.words($0.reason) }
            return try await page(month, visit, problem: text)
        } catch let refusal as Refusal {
            return try await page(month, visit, problem: visit.words(refusal.reason))
        }
        let fields = [
            ("month", CalendarMonth(of: day).description),
            ("notice", FlashMessage.calendarMoved.rawValue),
        ]
        return HTMLResponse.redirect(to: ConsolePath.calendar.query(FormFields(fields)))
    }

    /// What a form names, if it is there.
    private func subject(_ visit: Visit) async throws -> PlannedMessage.Subject? {
        let parts = visit.form["subject"].split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let id = Int64(parts[1]) else { return nil }
        switch parts[0] {
        case "push":
            return try await site.services.sends.send(SendID(id), in: visit.workspace)
                .map(PlannedMessage.Subject.push)
        case "campaign":
            return try await site.services.campaigns.campaign(
                CampaignID(id),
                in: visit.workspace
            ).map(PlannedMessage.Subject.campaign)
        default: return nil
        }
    }
}
