import Drafts
import Foundation
import Hummingbird
import Model
import WebPages

/// What is written into the forms of one kind: kept while it is written, under an address that a
/// reload, another language or a new session finds again.
struct DraftDesk: Sendable {
    /// Fields about the form, not of what is written in it.
    private static let ownFields: Set<String> = [
        "csrf", "draft", "window", "seen", "step", "subject",
    ]

    let site: ConsoleSite
    let kind: FormDraft.Kind

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = Gate(site: site)
        router.post(
            RouterPath(ConsolePath.draft(kind, ":id").path),
            use: gate.member(.marketer) { visit, _ in
                let id = UUID(uuidString: visit.form["draft"])
                return try answer(try await keep(visit), asked: id, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.discardDraft(kind, ":id").path),
            use: gate.member(.marketer) { visit, parameters in
                let draft = try await found(visit, parameters)
                _ = try await site.services.drafts.discard(draft.id, in: visit.workspace)
                return PageAnswer.redirect(to: Notice.draftDiscarded.address(kind.list))
            }
        )
    }

    // MARK: Keeping

    /// A draft of which nothing is kept yet.
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

    /// What a form has posted, as a draft.
    func posted(_ visit: Visit) -> FormDraft {
        let titles = kind.titleFields.map { visit.form[$0] }
        return posted(
            Self.written(in: visit.form),
            title: titles.first { !$0.isEmpty } ?? "",
            visit
        )
    }

    /// What a form has posted, with its fields as they are read.
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

    /// Keeps what a form has posted.
    func keep(_ visit: Visit) async throws -> FormDraft {
        try await keep(posted(visit), visit)
    }

    func keep(_ draft: FormDraft, _ visit: Visit) async throws -> FormDraft {
        try await site.services.drafts.keep(draft, seen: Int(visit.form["seen"]) ?? 0)
    }

    /// The fields of a form that are written, not those about it.
    static func written(in form: FormFields) -> FormFields {
        FormFields(form.entries.filter { !ownFields.contains($0.name) })
    }

    /// What the script says beside the form.
    func answer(_ kept: FormDraft, asked: UUID?, _ visit: Visit) throws -> Response {
        struct Answer: Codable {
            let text: String
            let address: String
            let draft: String
            let seen: Int
            /// It was sent or saved before; nothing is kept any more.
            let isOver: Bool
        }
        let time = visit.words.clock(kept.updatedAt, in: visit.zone)
        let text =
            kept.outcome != nil
            ? visit.words("draft.over")
            : kept.id == asked
                ? visit.words("draft.saved", ["time": time]) : visit.words("draft.copied")
        return PageAnswer.json(
            try JSONEncoder().encode(
                Answer(
                    text: text,
                    address: ConsolePath.draft(kind, kept.id.uuidString).path,
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

    /// Shows a draft with its fields; what it has become, once it has.
    func open(
        _ visit: Visit,
        _ parameters: Parameters,
        _ show: (FormDraft, FormFields) async throws -> Response
    ) async throws -> Response {
        let draft = try await found(visit, parameters)
        if let outcome = draft.outcome {
            return PageAnswer.redirect(to: kind.page(of: outcome).path)
        }
        return try await show(draft, FormFields(urlEncoded: draft.fields))
    }

    /// The kept draft of a form that asks to be saved.
    func known(_ visit: Visit) async throws -> FormDraft? {
        guard let id = UUID(uuidString: visit.form["draft"]) else { return nil }
        let draft = try await site.services.drafts.draft(id, in: visit.workspace)
        return draft?.kind == kind ? draft : nil
    }

    /// Where the posted content of a form comes from.
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

    /// - Parameter version: When what is edited was changed last; `nil` for something new.
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

    /// The frame of a form that comes back with what is wrong in it.
    func frame(_ draft: FormDraft, _ fields: FormFields, _ visit: Visit) async throws -> DraftFrame
    {
        try await frame(
            draft,
            version: Int64(fields["version"]).map { Date(milliseconds: $0) },
            visit
        )
    }
}
