import Drafts
import Foundation
import Hummingbird
import Journeys
import Model
import WebPages

/// Journeys while they are edited, in their drafts.
struct JourneyDesk: Sendable {
    let site: ConsoleRenderer
    let drafts: DraftDesk

    init(site: ConsoleRenderer) {
        self.site = site
        drafts = DraftDesk(site: site, kind: .journey)
    }

    /// A draft with what it holds.
    struct Work {
        var draft: FormDraft
        var plan: JourneyPlan
    }

    /// The draft of an address or a posted form.
    ///
    /// - Throws: ``PageError`` if there is no such draft.
    func work(_ context: ConsoleContext, _ parameters: Parameters) async throws -> Work {
        let draft = try await drafts.found(context, parameters)
        guard let plan = JourneyPlan(fields: draft.written) else {
            throw PageError.notFound
        }
        return Work(draft: draft, plan: plan)
    }

    /// Begins to edit a definition.
    func begin(
        _ definition: JourneyDefinition,
        of journey: Journey? = nil,
        _ context: ConsoleContext
    ) async throws -> FormDraft {
        var draft = drafts.new(subject: journey.map { "\($0.id)" } ?? "", context)
        let plan = JourneyPlan(definition, version: journey?.updatedAt)
        draft.fields = plan.fields.urlEncoded
        draft.title = definition.name
        return try await site.services.drafts.keep(draft, seen: 0)
    }

    /// Stores what was changed; where another window has changed the draft since, as another one.
    func keep(_ plan: JourneyPlan, _ context: ConsoleContext) async throws -> FormDraft {
        try await drafts.keep(
            drafts.posted(plan.fields, title: plan.definition.name, context),
            context
        )
    }

    func frame(_ work: Work, isConflict: Bool = false, _ context: ConsoleContext) async throws
        -> DraftFrame
    {
        try await drafts.frame(
            work.draft,
            version: Int64(work.plan.version).map { Date(milliseconds: $0) },
            isConflict: isConflict,
            context
        )
    }

    /// The journey that is edited; `nil` for a new one.
    func subject(_ draft: FormDraft, _ context: ConsoleContext) async throws -> Journey? {
        guard let id = Int64(draft.subject) else { return nil }
        return try await site.services.journeys.journey(JourneyID(id), in: context.workspace)
    }

    /// Leads to a page of the draft, which says so where it became another one.
    func redirect(
        to path: ConsolePath,
        _ kept: FormDraft,
        anchor: JourneyStepID? = nil,
        _ context: ConsoleContext
    ) -> Response {
        if let outcome = kept.outcome {
            return HTMLResponse.redirect(to: ConsolePath.journey(outcome).path)
        }
        let isSame = UUID(uuidString: context.form["draft"]).map { $0 == kept.id } ?? true
        let address = isSame ? path.path : FlashMessage.draftCopied.address(path)
        return HTMLResponse.redirect(to: address + (anchor.map { "#step-\($0)" } ?? ""))
    }

    func problems(
        of plan: JourneyPlan,
        _ context: ConsoleContext
    ) async throws -> JourneyProblems {
        JourneyProblems(
            try await site.services.journeys.problems(
                of: plan.definition,
                in: context.workspace
            ),
            of: plan.definition,
            words: context.words
        )
    }
}
