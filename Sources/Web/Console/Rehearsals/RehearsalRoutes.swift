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
        add(.campaign, ":campaign", to: router) { context, parameters in
            guard let campaign = try await site.campaign(parameters.get("campaign"), context),
                campaign.state != .archived
            else { throw PageError.notFound }
            return RehearsalSubject(campaign)
        }
        add(.journey, ":journey", to: router) { context, parameters in
            let journey = try await site.journey(parameters.get("journey"), context)
            guard journey.state != .archived else { throw PageError.notFound }
            return RehearsalSubject(journey)
        }
    }

    private func add<Context: RequestContext>(
        _ kind: FormDraft.Kind,
        _ id: String,
        to router: some RouterMethods<Context>,
        _ find: @escaping @Sendable (ConsoleContext, Parameters) async throws -> RehearsalSubject
    ) {
        router.get(
            RouterPath(ConsolePath.rehearsal(kind, id).path),
            use: gate.member { context, parameters in
                let subject = try await find(context, parameters)
                let last = try await rehearsals.rehearsal(of: subject.apiID, in: context.workspace)
                return try await page(
                    subject,
                    RehearsalForm(last?.order, context),
                    [],
                    last,
                    context
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.rehearsal(kind, id).path),
            use: gate.member { context, parameters in
                try await begin(find(context, parameters), context)
            }
        )
        router.post(
            RouterPath(ConsolePath.stopRehearsal(kind, id).path),
            use: gate.member { context, parameters in
                let subject = try await find(context, parameters)
                try await rehearsals.stop(subject.apiID, in: context.workspace)
                return HTMLResponse.redirect(to: ConsolePath.rehearsal(kind, subject.id).path)
            }
        )
        router.get(
            RouterPath(ConsolePath.rehearsalText(kind, id).path),
            use: gate.member { context, parameters in
                try await text(find(context, parameters), context)
            }
        )
    }

    private func begin(_ subject: RehearsalSubject, _ context: ConsoleContext) async throws
        -> Response
    {
        let form = RehearsalForm(fields: context.form)
        let faults: [FormFieldError]
        do {
            try await FormError.naming(context.words, { $0.description }) {
                let order = try form.order(subject, rehearsals.limits.days, context)
                try await rehearsals.begin(order, by: context.actor)
            }
            return HTMLResponse.redirect(
                to: ConsolePath.rehearsal(subject.form, subject.id).path
            )
        } catch let rejected as FormError {
            faults = rejected.faults
        } catch let refusal as RefusalError {
            faults = [FormFieldError(field: "", text: context.words(refusal.reason))]
        }
        let last = try await rehearsals.rehearsal(of: subject.apiID, in: context.workspace)
        return try await page(subject, form, faults, last, context)
    }

    private func page(
        _ subject: RehearsalSubject,
        _ form: RehearsalForm,
        _ faults: [FormFieldError],
        _ last: OrderedRehearsal?,
        _ context: ConsoleContext
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
                    busy.workspace == context.workspace && busy.subject != subject.apiID
                        ? busy.name : nil
                },
                hasDraft: try await hasDraft(subject, context),
                context: context
            ),
            title: context.words("rehearsal.title"),
            place: subject.place,
            context: context,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    /// Whether somebody edits it and has not saved.
    private func hasDraft(_ subject: RehearsalSubject, _ context: ConsoleContext) async throws
        -> Bool
    {
        guard context.hasRole(atLeast: .marketer) else { return false }
        return try await site.services.drafts.drafts(subject.form, in: context.workspace)
            .contains { $0.subject == subject.id && $0.outcome == nil }
    }

    /// The text that the command writes, which is the same in every language.
    private func text(_ subject: RehearsalSubject, _ context: ConsoleContext) async throws
        -> Response
    {
        let last = try await rehearsals.rehearsal(of: subject.apiID, in: context.workspace)
        guard case .done(let result)? = last?.state else { throw PageError.notFound }
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
