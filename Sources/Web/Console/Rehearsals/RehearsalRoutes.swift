import Campaigns
import Drafts
import Foundation
import HTTPTypes
import Hummingbird
import Journeys
import Model
import NIOCore
import Rehearsals
import WebPages

/// The page of a campaign or journey on which it is rehearsed. Whoever may look at it may do so: nothing is
/// sent or changed by it.
struct RehearsalRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let rehearsals: RehearsalService

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
        rehearsals = site.services.rehearsals
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        add(.campaign, ":campaign", to: router) { visit, parameters in
            guard let campaign = try await site.campaign(parameters.get("campaign"), visit),
                campaign.state != .archived
            else { throw PageProblem.notFound }
            return RehearsalSubject(campaign)
        }
        add(.journey, ":journey", to: router) { visit, parameters in
            let journey = try await site.journey(parameters.get("journey"), visit)
            guard journey.state != .archived else { throw PageProblem.notFound }
            return RehearsalSubject(journey)
        }
    }

    private func add<Context: RequestContext>(
        _ kind: FormDraft.Kind,
        _ id: String,
        to router: some RouterMethods<Context>,
        _ find: @escaping @Sendable (Visit, Parameters) async throws -> RehearsalSubject
    ) {
        router.get(
            RouterPath(ConsolePath.rehearsal(kind, id).path),
            use: gate.member { visit, parameters in
                let subject = try await find(visit, parameters)
                let last = try await rehearsals.rehearsal(of: subject.apiID, in: visit.workspace)
                return try await page(subject, RehearsalForm(last?.order, visit), [], last, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.rehearsal(kind, id).path),
            use: gate.member { visit, parameters in
                try await begin(find(visit, parameters), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.stopRehearsal(kind, id).path),
            use: gate.member { visit, parameters in
                let subject = try await find(visit, parameters)
                try await rehearsals.stop(subject.apiID, in: visit.workspace)
                return HTMLResponse.redirect(to: ConsolePath.rehearsal(kind, subject.id).path)
            }
        )
        router.get(
            RouterPath(ConsolePath.rehearsalText(kind, id).path),
            use: gate.member { visit, parameters in
                try await text(find(visit, parameters), visit)
            }
        )
    }

    private func begin(_ subject: RehearsalSubject, _ visit: Visit) async throws -> Response {
        let form = RehearsalForm(fields: visit.form)
        let faults: [FormFault]
        do {
            try await FormRejected.naming(visit.words, { $0.description }) {
                let order = try form.order(subject, rehearsals.limits.days, visit)
                try await rehearsals.begin(order, by: visit.actor)
            }
            return HTMLResponse.redirect(
                to: ConsolePath.rehearsal(subject.form, subject.id).path
            )
        } catch let rejected as FormRejected {
            faults = rejected.faults
        } catch let refusal as Refusal {
            faults = [FormFault(field: "", text: visit.words(refusal.reason))]
        }
        let last = try await rehearsals.rehearsal(of: subject.apiID, in: visit.workspace)
        return try await page(subject, form, faults, last, visit)
    }

    private func page(
        _ subject: RehearsalSubject,
        _ form: RehearsalForm,
        _ faults: [FormFault],
        _ last: OrderedRehearsal?,
        _ visit: Visit
    ) async throws -> Response {
        let busy = await rehearsals.busyWith
        return try site.page(
            "rehearsal",
            RehearsePage(
                subject,
                form: form,
                faults: faults,
                days: rehearsals.limits.days,
                last: last,
                // Of other workspaces there is nothing to tell.
                other: busy.flatMap { busy in
                    busy.workspace == visit.workspace && busy.subject != subject.apiID
                        ? busy.name : nil
                },
                hasDraft: try await hasDraft(subject, visit),
                visit: visit
            ),
            title: visit.words("rehearsal.title"),
            place: subject.place,
            visit: visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    /// Whether somebody edits it and has not saved.
    private func hasDraft(_ subject: RehearsalSubject, _ visit: Visit) async throws -> Bool {
        guard visit.may(.marketer) else { return false }
        return try await site.services.drafts.drafts(subject.form, in: visit.workspace)
            .contains { $0.subject == subject.id && $0.outcome == nil }
    }

    /// The text that the command writes, which is the same in every language.
    private func text(_ subject: RehearsalSubject, _ visit: Visit) async throws -> Response {
        let last = try await rehearsals.rehearsal(of: subject.apiID, in: visit.workspace)
        guard case .done(let result)? = last?.state else { throw PageProblem.notFound }
        let name = "rehearsal-\(subject.kind.rawValue)-\(subject.id).txt"
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/plain; charset=utf-8",
                .contentDisposition: "attachment; filename=\"\(name)\"",
                .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: RehearsalText(result).text))
        )
    }
}
