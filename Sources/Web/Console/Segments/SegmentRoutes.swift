import Foundation
import Hummingbird
import Model
import Ports
import Segments
import WebPages

/// The segments: list, editor with live count, deletion.
struct SegmentRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let segments: any SegmentPages
    private let desk: DraftDesk

    init(site: ConsoleSite, segments: any SegmentPages) {
        self.site = site
        self.segments = segments
        gate = Gate(site: site)
        desk = DraftDesk(site: site, kind: .segment)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
        router.get(
            RouterPath(ConsolePath.draft(.segment, ":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await desk.open(visit, parameters) { draft, fields in
                    try await editor(
                        written(fields),
                        id: Int64(draft.subject),
                        visit,
                        typed: typed(fields),
                        frame: try await desk.frame(draft, fields, visit)
                    )
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.segments.path),
            use: gate.member { visit, _ in
                let rows = try await segments.segments(for: visit.member)
                return try site.page(
                    "segments",
                    SegmentsPage(
                        rows,
                        drafts: try await desk.list(visit),
                        hasLists: site.features.lists != nil,
                        visit: visit
                    ),
                    title: visit.words("nav.segments"),
                    place: .segments,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.newSegment.path),
            use: gate.member(.marketer) { visit, _ in
                let draft = SegmentDraft(name: "", condition: visit.query["condition"])
                return try await editor(draft, id: nil, visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.segment(":segment").path),
            use: gate.member { visit, parameters in
                let row = try await found(visit, parameters).row
                let draft = SegmentDraft(name: row.name, condition: row.condition)
                return try await editor(
                    draft,
                    id: row.id,
                    visit,
                    frame: try await desk.frame(
                        desk.new(subject: String(row.id), visit),
                        version: row.changedAt,
                        visit
                    )
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.newSegment.path),
            use: gate.member(.marketer) { visit, _ in try await save(visit, id: nil) }
        )
        router.post(
            RouterPath(ConsolePath.segment(":segment").path),
            use: gate.member(.marketer) { visit, parameters in
                try await save(visit, id: found(visit, parameters).row.id)
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteSegment(":segment").path),
            use: gate.member(.marketer) { visit, parameters in
                let row = try await found(visit, parameters).row
                do {
                    try await segments.deleteSegment(id: row.id, for: visit.member)
                } catch let rejected as SegmentRejected {
                    let draft = SegmentDraft(name: row.name, condition: row.condition)
                    return try await editor(draft, id: row.id, visit, rejected: rejected)
                }
                return PageAnswer.redirect(to: Notice.segmentDeleted.address(.segments))
            }
        )
        router.post(
            RouterPath(ConsolePath.probeSegment.path),
            use: gate.member { visit, _ in try await probe(visit) }
        )
        router.post(
            RouterPath(ConsolePath.explainSegment.path),
            use: gate.member { visit, _ in try await explain(visit) }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> SegmentDetail {
        guard let id = parameters.get("segment", as: Int64.self),
            let segment = try await segments.segment(id: id, for: visit.member)
        else { throw PageProblem.notFound }
        return segment
    }

    private func editor(
        _ draft: SegmentDraft,
        id: Int64?,
        _ visit: Visit,
        rejected: SegmentRejected? = nil,
        typed: ConditionForm? = nil,
        frame: DraftFrame? = nil
    ) async throws -> Response {
        var frame = frame
        if frame == nil {
            let draft = desk.new(subject: id.map(String.init) ?? "", visit)
            frame = try await desk.frame(draft, version: nil, visit)
        }
        let rule = try? SegmentParser.parse(draft.condition).rule
        let page = SegmentPage(
            draft,
            id: id,
            rows: try await rows(of: rule, typed: typed, visit),
            hasRows: rule != nil || draft.condition.isEmpty,
            vocabulary: try await segments.vocabulary(for: visit.member),
            rejected: rejected,
            frame: visit.may(.marketer) ? frame : nil,
            visit: visit
        )
        return try site.page(
            "segment",
            page,
            title: page.title,
            place: .segments,
            visit: visit,
            status: rejected != nil
                ? .unprocessableContent : frame?.conflict == nil ? .ok : .conflict
        )
    }

    private func written(_ fields: FormFields) -> SegmentDraft {
        SegmentDraft(
            name: fields["name"].trimmingCharacters(in: .whitespaces),
            condition: fields["condition"].trimmingCharacters(in: .whitespacesAndNewlines)
        )
    }

    /// A browser without scripts sends rows and no text.
    private func typed(_ fields: FormFields) -> ConditionForm? {
        written(fields).condition.isEmpty ? ConditionForm(fields: fields) : nil
    }

    private func save(_ visit: Visit, id: Int64?) async throws -> Response {
        var kept = desk.posted(visit)
        kept.subject = id.map(String.init) ?? ""
        kept = try await desk.keep(kept, visit)
        if let outcome = kept.outcome {
            return PageAnswer.redirect(to: ConsolePath.segment(outcome).path)
        }
        var draft = written(visit.form)
        let typed = typed(visit.form)
        do {
            if let typed {
                do throws(ConditionForm.Fault) {
                    draft.condition = try typed.condition()
                } catch {
                    let text = visit.words(error.key, ["name": error.name])
                    throw SegmentRejected(field: .condition, text: text)
                }
            }
            if draft.name.isEmpty {
                throw SegmentRejected(field: .name, text: visit.words("fault.segment_name"))
            }
            if draft.condition.isEmpty {
                throw SegmentRejected(field: .condition, text: visit.words("fault.filter"))
            }
            _ = try await segments.save(
                draft,
                id: id,
                from: desk.origin(of: kept, visit.form),
                for: visit.member
            )
            return PageAnswer.redirect(to: Notice.segmentSaved.address(.segments))
        } catch let rejected as SegmentRejected {
            return try await editor(
                draft,
                id: id,
                visit,
                rejected: rejected,
                typed: typed,
                frame: try await desk.frame(kept, visit.form, visit)
            )
        } catch let finished as DraftFinished {
            return PageAnswer.redirect(to: ConsolePath.segment(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await segments.segment(id: id ?? 0, for: visit.member)
            return try await editor(
                draft,
                id: id,
                visit,
                typed: typed,
                frame: try await desk.frame(
                    kept,
                    version: current?.row.changedAt,
                    isConflict: true,
                    visit
                )
            )
        }
    }

    /// The rows that say a rule, or those that were typed where they say none.
    private func rows(
        of rule: SegmentRule?,
        typed: ConditionForm? = nil,
        _ visit: Visit
    ) async throws -> ConditionRows {
        ConditionRows(
            rule.map { ConditionForm(reading: $0) } ?? typed ?? ConditionForm(),
            attributeFault: nil,
            eventFault: nil,
            attributeNames: try await site.customAttributes(visit),
            eventNames: try await site.eventNames(visit),
            words: visit.words
        )
    }

    /// What the editor's script shows while a condition is written, or put together from rows.
    private func probe(_ visit: Visit) async throws -> Response {
        let isBuilt = visit.form["from"] == "rows"
        var condition = visit.form["condition"].trimmingCharacters(in: .whitespacesAndNewlines)
        let answer: SegmentAnswer
        do {
            if isBuilt {
                condition = try ConditionForm(fields: visit.form).condition()
            }
            let rule = try? SegmentParser.parse(condition).rule
            // Rows that are being filled in are not drawn anew.
            let rows =
                isBuilt || rule == nil && !condition.isEmpty
                ? nil
                : try site.text(
                    "segment-rows",
                    SegmentRowsPart(rows: try await self.rows(of: rule, visit)),
                    visit: visit
                )
            if isBuilt, let rule { condition = SegmentWriter.text(rule) }
            if condition.isEmpty {
                answer = SegmentAnswer(fault: nil, condition: "", rows: rows)
            } else {
                do {
                    let probe = try await segments.probe(condition, for: visit.member)
                    answer = SegmentAnswer(probe, condition: condition, rows: rows, visit: visit)
                } catch let rejected as SegmentRejected {
                    answer = SegmentAnswer(
                        fault: visit.words.said(rejected.text),
                        condition: condition,
                        rows: rows
                    )
                }
            }
        } catch let fault as ConditionForm.Fault {
            answer = SegmentAnswer(
                fault: visit.words(fault.key, ["name": fault.name]),
                condition: nil,
                rows: nil
            )
        }
        return PageAnswer.json(try JSONEncoder().encode(answer))
    }

    /// Whether a user is in the condition that is being written.
    private func explain(_ visit: Visit) async throws -> Response {
        let user = visit.form["user"].trimmingCharacters(in: .whitespaces)
        let condition = visit.form["condition"].trimmingCharacters(in: .whitespacesAndNewlines)
        let answer: MembershipAnswer
        do {
            let membership = try await segments.explain(condition, user: user, for: visit.member)
            answer =
                membership.map { MembershipAnswer($0, visit: visit) }
                ?? MembershipAnswer(verdict: visit.words("compose.no_user"))
        } catch let rejected as SegmentRejected {
            answer = MembershipAnswer(verdict: visit.words.said(rejected.text))
        }
        return PageAnswer.json(try JSONEncoder().encode(answer))
    }
}
