import Drafts
import Foundation
import Hummingbird
import Model
import WebPages

/// Stores drafts of one kind of form while they are edited, at an address that survives a reload, a
/// change of language and a new session.
struct DraftDesk: Sendable {
    /// Fields about the form itself.
    private static let ownFields: Set<String> = [
        "csrf", "draft", "window", "seen", "step", "subject",
    ]

    let site: ConsoleRenderer
    let kind: FormDraft.Kind

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        router.post(
            RouterPath(ConsolePath.draft(kind, ":id").path),
            use: gate.member(.marketer) { visit, _ in
                let id = UUID(uuidString: visit.form["draft"])
                return try answer(try await keep(visit), asked: id, visit)
            }
        )
        addDiscarding(to: router)
    }

    func addDiscarding<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        router.post(
            RouterPath(ConsolePath.discardDraft(kind, ":id").path),
            use: gate.member(.marketer) { visit, parameters in
                let draft = try await found(visit, parameters)
                _ = try await site.services.drafts.discard(draft.id, in: visit.workspace)
                return HTMLResponse.redirect(to: FlashMessage.draftDiscarded.address(kind.list))
            }
        )
    }

    // MARK: Keeping

    /// A draft that is not stored yet.
    func new(subject: String = "", _ visit: Visit) -> FormDraft {
        FormDraft(
            id: UUID(),
            workspace: visit.workspace,
            kind: kind,
            subject: subject,
            fields: "",
            title: "",
            author: visit.member.name,
            updatedAt: visit.now,
            revision: 0
        )
    }

    /// The posted form, as a draft.
    func posted(_ visit: Visit) -> FormDraft {
        let titles = kind.titleFields.map { visit.form[$0] }
        return posted(
            Self.written(in: visit.form),
            title: titles.first { !$0.isEmpty } ?? "",
            visit
        )
    }

    /// The posted form, as a draft, with these fields.
    func posted(_ fields: FormFields, title: String, _ visit: Visit) -> FormDraft {
        FormDraft(
            id: UUID(uuidString: visit.form["draft"]) ?? UUID(),
            workspace: visit.workspace,
            kind: kind,
            subject: visit.form["subject"],
            fields: fields.urlEncoded,
            title: title.trimmingCharacters(in: .whitespacesAndNewlines),
            author: visit.member.name,
            updatedAt: visit.now,
            window: visit.form["window"]
        )
    }

    /// Stores the posted form.
    func keep(_ visit: Visit) async throws -> FormDraft {
        try await keep(posted(visit), visit)
    }

    func keep(_ draft: FormDraft, _ visit: Visit) async throws -> FormDraft {
        try await site.services.drafts.keep(draft, seen: Int(visit.form["seen"]) ?? 0)
    }

    /// The content fields of a form, without those about the form itself.
    static func written(in form: FormFields) -> FormFields {
        FormFields(form.entries.filter { !ownFields.contains($0.name) })
    }

    /// The response to the form's script.
    ///
    /// - Parameter page: Where the form is found again; the draft's own address if `nil`.
    func answer(
        _ kept: FormDraft,
        asked: UUID?,
        page: ConsolePath? = nil,
        _ visit: Visit
    ) throws -> Response {
        struct Answer: Codable {
            let text: String
            let address: String
            let draft: String
            let seen: Int
            /// Whether the draft was already sent or saved; nothing is stored then.
            let isOver: Bool
        }
        let time = visit.words.clock(kept.updatedAt, in: visit.zone)
        let text =
            kept.outcome != nil
            ? visit.words("draft.over")
            : kept.id == asked
                ? visit.words("draft.saved", ["time": time]) : visit.words("draft.copied")
        return HTMLResponse.json(
            try JSONEncoder().encode(
                Answer(
                    text: text,
                    address: (page ?? .draft(kind, kept.id.uuidString)).path,
                    draft: kept.id.uuidString,
                    seen: kept.revision,
                    isOver: kept.outcome != nil
                )
            )
        )
    }

    // MARK: Finding

    func found(_ visit: Visit, _ parameters: Parameters) async throws -> FormDraft {
        guard let id = parameters.get("id").flatMap(UUID.init(uuidString:)),
            let draft = try await site.services.drafts.draft(id, in: visit.workspace),
            draft.kind == kind
        else { throw PageProblem.notFound }
        return draft
    }

    /// Shows a draft with its fields, or its outcome if it is finished.
    func open(
        _ visit: Visit,
        _ parameters: Parameters,
        _ show: (FormDraft, FormFields) async throws -> Response
    ) async throws -> Response {
        let draft = try await found(visit, parameters)
        if let outcome = draft.outcome {
            return HTMLResponse.redirect(to: kind.page(of: outcome).path)
        }
        return try await show(draft, draft.written)
    }

    /// The stored draft of a submitted form.
    func known(_ visit: Visit) async throws -> FormDraft? {
        guard let id = UUID(uuidString: visit.form["draft"]) else { return nil }
        let draft = try await site.services.drafts.draft(id, in: visit.workspace)
        return draft?.kind == kind ? draft : nil
    }

    /// The origin of a form's posted content.
    func origin(of draft: FormDraft, _ fields: FormFields) -> EditOrigin {
        EditOrigin(
            draft: draft.id,
            version: Int64(fields["version"]).map { Date(milliseconds: $0) }
        )
    }

    // MARK: Showing

    func list(_ visit: Visit) async throws -> DraftList {
        guard visit.may(.marketer) else { return DraftList([], visit: visit) }
        return DraftList(
            try await site.services.drafts.drafts(kind, in: visit.workspace),
            visit: visit
        )
    }

    /// - Parameter version: The last change of the edited object; `nil` for a new one.
    func frame(
        _ draft: FormDraft,
        version: Date?,
        isConflict: Bool = false,
        _ visit: Visit
    ) async throws -> DraftFrame {
        let others =
            draft.subject.isEmpty || !visit.may(.marketer)
            ? [] : try await site.services.drafts.drafts(kind, in: visit.workspace)
        return DraftFrame(
            draft,
            version: version.map { String($0.milliseconds) } ?? "",
            others: others,
            isConflict: isConflict,
            visit: visit
        )
    }

    /// The frame of a form that is shown again with errors.
    func frame(_ draft: FormDraft, _ fields: FormFields, _ visit: Visit) async throws -> DraftFrame
    {
        try await frame(
            draft,
            version: Int64(fields["version"]).map { Date(milliseconds: $0) },
            visit
        )
    }
}

extension FormDraft {
    /// What is written in the form.
    var written: FormFields {
        // Older drafts have line ends as they were sent.
        DraftDesk.written(in: FormFields(urlEncoded: fields).withLineFeeds)
    }
}
