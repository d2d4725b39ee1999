import Audience
import Foundation
import Hummingbird
import Model
import Segments
import Sends
import Users
import WebPages

/// The segments: list, editor with live count, deletion.
struct SegmentRoutes: Sendable {
    /// Days of a segment's size that are drawn.
    private static let shownDays = 90

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let segments: SegmentService
    private let inspector: SegmentInspector
    private let vocabulary: SegmentVocabulary
    private let users: UserDirectory
    private let review: SendReview
    private let desk: DraftDesk

    init(site: ConsoleRenderer) {
        self.site = site
        segments = site.services.segments
        inspector = site.services.inspector
        vocabulary = site.services.vocabulary
        users = site.services.users
        review = site.services.review
        gate = ConsoleAuthenticator(site: site)
        desk = DraftDesk(site: site, kind: .segment)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
        router.get(
            RouterPath(ConsolePath.draft(.segment, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await desk.open(context, parameters) { draft, fields in
                    try await editor(
                        SegmentForm(fields: fields),
                        id: Int64(draft.subject).map(SegmentID.init),
                        context,
                        typed: typed(fields),
                        frame: try await desk.frame(draft, fields, context)
                    )
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.segments.path),
            use: gate.member { context, _ in
                try site.page(
                    "segments",
                    SegmentsPage(
                        try await inspector.sizes(in: context.workspace),
                        drafts: try await desk.list(context),
                        context: context
                    ),
                    title: context.words("nav.segments"),
                    place: .segments,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.newSegment.path),
            use: gate.member(.marketer) { context, _ in
                let form = SegmentForm(condition: context.query["condition"])
                return try await editor(form, id: nil, context)
            }
        )
        router.get(
            RouterPath(ConsolePath.segment(":segment").path),
            use: gate.member { context, parameters in
                let segment = try await found(context, parameters)
                return try await editor(
                    try await form(of: segment),
                    id: segment.id,
                    context,
                    frame: try await desk.frame(
                        desk.new(subject: "\(segment.id)", context),
                        version: segment.updatedAt,
                        context
                    )
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.segmentUsers(":segment").path),
            use: gate.member { context, parameters in
                let segment = try await found(context, parameters)
                return try site.part(
                    "segment-users",
                    try await SegmentUsersPart(segment, site: site, context: context),
                    context: context
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.newSegment.path),
            use: gate.member(.marketer) { context, _ in try await save(context, id: nil) }
        )
        router.post(
            RouterPath(ConsolePath.segment(":segment").path),
            use: gate.member(.marketer) { context, parameters in
                try await save(context, id: found(context, parameters).id)
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteSegment(":segment").path),
            use: gate.member(.marketer) { context, parameters in
                let segment = try await found(context, parameters)
                do {
                    _ = try await segments.archive(segment.id, by: context.actor)
                } catch let refusal as RefusalError {
                    let form = try await form(of: segment)
                    let fault = FormFieldError(field: "name", text: context.words(refusal.reason))
                    return try await editor(form, id: segment.id, context, fault: fault)
                }
                return HTMLResponse.redirect(to: FlashMessage.segmentDeleted.address(.segments))
            }
        )
        router.post(
            RouterPath(ConsolePath.probeSegment.path),
            use: gate.member { context, _ in try await probe(context) }
        )
        router.post(
            RouterPath(ConsolePath.explainSegment.path),
            use: gate.member { context, _ in try await explain(context) }
        )
    }

    private func found(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> StoredSegment
    {
        guard let id = parameters.get("segment", as: Int64.self).map(SegmentID.init),
            let segment = try await segments.segment(id, in: context.workspace)
        else { throw PageError.notFound }
        return segment
    }

    private func form(of segment: StoredSegment) async throws -> SegmentForm {
        let book = try await segments.book(of: segment.workspace)
        return SegmentForm(
            name: segment.content.name,
            condition: try segments.text(of: segment, book: book)
        )
    }

    private func editor(
        _ form: SegmentForm,
        id: SegmentID?,
        _ context: ConsoleContext,
        fault: FormFieldError? = nil,
        typed: ConditionForm? = nil,
        frame: DraftFrame? = nil
    ) async throws -> Response {
        var frame = frame
        if frame == nil {
            let draft = desk.new(subject: id.map { "\($0)" } ?? "", context)
            frame = try await desk.frame(draft, version: nil, context)
        }
        let rule = try? SegmentParser.parse(form.condition).rule
        let page = SegmentEditorPage(
            form,
            id: id,
            rows: try await rows(of: rule, typed: typed, context),
            hasRows: rule != nil || form.condition.isEmpty,
            vocabulary: try await vocabulary.terms(in: context.workspace),
            history: try await history(of: id, context),
            fault: fault,
            frame: context.hasRole(atLeast: .marketer) ? frame : nil,
            context: context
        )
        return try site.page(
            "segment",
            page,
            title: page.title,
            place: .segments,
            context: context,
            status: fault != nil
                ? .unprocessableContent : frame?.conflict == nil ? .ok : .conflict
        )
    }

    private func history(of id: SegmentID?, _ context: ConsoleContext) async throws -> [SegmentSize]
    {
        guard let id, let segment = try await segments.segment(id, in: context.workspace) else {
            return []
        }
        return try await segments.sizes(
            of: segment,
            days: Self.shownDays,
            endingAt: context.now
        )
    }

    /// A browser without scripts posts rows and no text.
    private func typed(_ fields: FormFields) -> ConditionForm? {
        SegmentForm(fields: fields).condition.isEmpty ? ConditionForm(fields: fields) : nil
    }

    private func save(_ context: ConsoleContext, id: SegmentID?) async throws -> Response {
        var kept = desk.posted(context)
        kept.subject = id.map { "\($0)" } ?? ""
        kept = try await desk.keep(kept, context)
        if let outcome = kept.outcome {
            return HTMLResponse.redirect(to: ConsolePath.segment(outcome).path)
        }
        var form = SegmentForm(fields: context.form)
        let typed = typed(context.form)
        let fault: FormFieldError
        do {
            if let typed { form.condition = try typed.condition() }
            try await save(form, id, from: desk.origin(of: kept, context.form), context)
            return HTMLResponse.redirect(to: FlashMessage.segmentSaved.address(.segments))
        } catch let problem as FieldProblem {
            fault = FormFieldError(problem, at: \.description, context.words)
        } catch let problem as FormFieldError {
            fault = problem
        } catch let error as ValidationError {
            fault = FormFieldError(error.problems[0], at: \.description, context.words)
        } catch let finished as DraftFinishedError {
            return HTMLResponse.redirect(to: ConsolePath.segment(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            var current: StoredSegment?
            if let id { current = try await segments.segment(id, in: context.workspace) }
            return try await editor(
                form,
                id: id,
                context,
                typed: typed,
                frame: try await desk.frame(
                    kept,
                    version: current?.updatedAt,
                    isConflict: true,
                    context
                )
            )
        }
        return try await editor(
            form,
            id: id,
            context,
            fault: fault,
            typed: typed,
            frame: try await desk.frame(kept, context.form, context)
        )
    }

    private func save(
        _ form: SegmentForm,
        _ id: SegmentID?,
        from origin: EditOrigin,
        _ context: ConsoleContext
    ) async throws {
        if form.name.isEmpty {
            throw FormFieldError(field: "name", text: context.words("fault.segment_name"))
        }
        if form.condition.isEmpty {
            throw FormFieldError(field: "condition", text: context.words("fault.filter"))
        }
        guard let id else {
            _ = try await segments.create(form.draft, by: context.actor, from: origin)
            return
        }
        guard try await segments.update(id, to: form.draft, by: context.actor, from: origin) else {
            throw PageError.notFound
        }
    }

    /// The rows that express a rule, or the submitted ones if none can.
    private func rows(
        of rule: SegmentRule?,
        typed: ConditionForm? = nil,
        _ context: ConsoleContext
    ) async throws -> ConditionRows {
        var known = try await site.conditionVocabulary(context)
        if let rule {
            known.unknown = try await review.filterFindings(rule, nil, in: context.workspace)
        }
        return ConditionRows(
            rule.map { ConditionForm(reading: $0) } ?? typed ?? ConditionForm(),
            attributeFault: nil,
            eventFault: nil,
            known,
            words: context.words
        )
    }

    /// The data for the editor's script while a condition is edited as text or rows.
    private func probe(_ context: ConsoleContext) async throws -> Response {
        let isBuilt = context.form["from"] == "rows"
        var condition = context.form.trimmed("condition")
        let answer: SegmentResponse
        do {
            if isBuilt {
                condition = try ConditionForm(fields: context.form).condition()
            }
            let rule = try? SegmentParser.parse(condition).rule
            // Rows that are being edited are not redrawn.
            let rows =
                isBuilt || rule == nil && !condition.isEmpty
                ? nil
                : try site.text(
                    "segment-rows",
                    SegmentRowsPart(rows: try await self.rows(of: rule, context)),
                    context: context
                )
            if isBuilt, let rule { condition = SegmentWriter.text(rule) }
            if condition.isEmpty {
                answer = SegmentResponse(fault: nil, condition: "", rows: rows)
            } else {
                do {
                    let found = try await inspector.find(condition, in: context.workspace)
                    answer = SegmentResponse(
                        found,
                        users: try await users.users(found.sample),
                        notes: try await review.filterFindings(
                            found.rule,
                            found.book,
                            in: context.workspace
                        ),
                        condition: condition,
                        rows: rows,
                        context: context
                    )
                } catch {
                    guard let fault = FormFieldError(evaluating: condition, error, context.words)
                    else {
                        throw error
                    }
                    answer = SegmentResponse(fault: fault.text, condition: condition, rows: rows)
                }
            }
        } catch let problem as FieldProblem {
            answer = SegmentResponse(
                fault: context.words(problem.reason),
                condition: nil,
                rows: nil
            )
        }
        return HTMLResponse.json(try JSONEncoder().encode(answer))
    }

    /// Whether a user matches the condition being edited.
    private func explain(_ context: ConsoleContext) async throws -> Response {
        let text = context.form.trimmed("user")
        let condition = context.form.trimmed("condition")
        var answer = MembershipResponse(verdict: context.words("compose.no_user"))
        do {
            if let user = try await users.user(identifiedBy: text, in: context.workspace)?.summary,
                let explanation = try await inspector.explain(
                    condition,
                    for: user.profile.id,
                    in: context.workspace
                )
            {
                answer = MembershipResponse(explanation, of: user, context: context)
            }
        } catch {
            guard let fault = FormFieldError(evaluating: condition, error, context.words) else {
                throw error
            }
            answer = MembershipResponse(verdict: fault.text)
        }
        return HTMLResponse.json(try JSONEncoder().encode(answer))
    }
}
