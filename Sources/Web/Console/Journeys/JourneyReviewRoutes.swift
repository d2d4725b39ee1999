import Foundation
import Hummingbird
import Journeys
import Model
import WebPages

/// The review before a journey is saved or published: only by the form of its review, once, and only
/// as it was reviewed.
struct JourneyReviewRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let desk: JourneyDesk
    private let journeys: JourneyService

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
        desk = JourneyDesk(site: site)
        journeys = site.services.journeys
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.reviewDraft(.journey, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                let work = try await desk.work(context, parameters)
                if let outcome = work.draft.outcome {
                    return HTMLResponse.redirect(to: ConsolePath.journey(outcome).path)
                }
                return try await review(work, context)
            }
        )
        router.post(
            RouterPath(ConsolePath.publishJourney.path),
            use: gate.member(.marketer) { context, _ in try await finish(context) }
        )
        // The address to which a browser without scripts returns.
        router.get(
            RouterPath(ConsolePath.publishJourney.path),
            use: gate.member(.marketer) { _, _ in
                HTMLResponse.redirect(to: ConsolePath.journeys.path)
            }
        )
    }

    private func review(
        _ work: JourneyDesk.Work,
        isConflict: Bool = false,
        _ context: ConsoleContext
    ) async throws -> Response {
        let definition = work.plan.definition
        let subject = try await desk.subject(work.draft, context)
        let choice = JourneyMigrationChoice(fields: context.query)
        let problems = try await desk.problems(of: work.plan, context)
        var effects: [JourneyMigrationPreview] = []
        var former: [JourneyStepID: String] = [:]
        if let subject, subject.version != nil {
            var planned = subject
            planned.draft = definition
            if problems.isEmpty {
                effects = try await journeys.preview(
                    of: choice.migration(of: definition),
                    of: planned
                )
            }
            for version in try await journeys.versions(of: subject) {
                for step in version.definition.steps where former[step.id] == nil {
                    former[step.id] = step.title(context.words)
                }
            }
        }
        let page = JourneyReviewPage(
            work.plan,
            frame: try await desk.frame(work, isConflict: isConflict, context),
            subject: subject,
            names: try await JourneyNames(definition, site.services, context),
            problems: problems,
            choice: choice,
            effects: effects,
            former: former,
            context: context
        )
        return try site.page(
            "journey-review",
            page,
            title: context.words("review.title"),
            place: .journeys,
            context: context,
            status: isConflict ? .conflict : .ok
        )
    }

    /// Saves what was reviewed, and publishes or rehearses it if that was asked for.
    private func finish(_ context: ConsoleContext) async throws -> Response {
        guard let draft = try await desk.drafts.known(context) else { throw PageError.notFound }
        if let outcome = draft.outcome {
            return HTMLResponse.redirect(to: ConsolePath.journey(outcome).path)
        }
        let review = ConsolePath.reviewDraft(.journey, draft.id.uuidString)
        guard let plan = JourneyPlan(fields: draft.written),
            context.form["seen"] == String(draft.revision)
        else { return HTMLResponse.redirect(to: FlashMessage.draftChanged.address(review)) }
        let isPublishing = context.form["action"] == "publish"
        let work = JourneyDesk.Work(draft: draft, plan: plan)
        let hasOpenForms = !plan.openSteps.isEmpty || plan.openRules != nil
        if isPublishing,
            try await !desk.problems(of: plan, context).isEmpty || hasOpenForms
        {
            return HTMLResponse.redirect(to: review.path)
        }
        let subject = try await desk.subject(draft, context)
        let saved: JourneyID
        do {
            saved = try await save(work, changing: subject, context)
        } catch let finished as DraftFinishedError {
            return HTMLResponse.redirect(to: ConsolePath.journey(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            return try await self.review(work, isConflict: true, context)
        } catch is ValidationError {
            return HTMLResponse.redirect(to: review.path)
        } catch is RefusalError {
            return HTMLResponse.redirect(to: FlashMessage.journeyMoved.address(.journeys))
        }
        if context.form["action"] == "rehearse" {
            return HTMLResponse.redirect(to: ConsolePath.rehearsal(.journey, "\(saved)").path)
        }
        let path = ConsolePath.journey("\(saved)")
        guard isPublishing, let journey = try await journeys.journey(saved, in: context.workspace)
        else { return HTMLResponse.redirect(to: FlashMessage.journeySaved.address(path)) }
        do {
            _ = try await journeys.publish(
                journey,
                migration: JourneyMigrationChoice(fields: context.form)
                    .migration(of: plan.definition),
                by: context.actor
            )
            return HTMLResponse.redirect(to: FlashMessage.journeyPublished.address(path))
        } catch is ValidationError {
            return HTMLResponse.redirect(to: FlashMessage.journeySaved.address(path))
        } catch is RefusalError {
            return HTMLResponse.redirect(to: FlashMessage.journeyMoved.address(path))
        }
    }

    private func save(
        _ work: JourneyDesk.Work,
        changing subject: Journey?,
        _ context: ConsoleContext
    ) async throws -> JourneyID {
        let origin = desk.drafts.origin(of: work.draft, work.plan.fields)
        guard let subject else {
            return try await journeys.create(work.plan.definition, by: context.actor, from: origin)
                .id
        }
        try await journeys.update(
            subject,
            to: work.plan.definition,
            by: context.actor,
            from: origin
        )
        return subject.id
    }
}
