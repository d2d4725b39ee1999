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
            use: gate.member(.marketer) { context, _ in
                let id = UUID(uuidString: context.form["draft"])
                return try answer(try await keep(context), asked: id, context)
            }
        )
        addDiscarding(to: router)
    }

    func addDiscarding<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        router.post(
            RouterPath(ConsolePath.discardDraft(kind, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                let draft = try await found(context, parameters)
                _ = try await site.services.drafts.discard(draft.id, in: context.workspace)
                return HTMLResponse.redirect(to: FlashMessage.draftDiscarded.address(kind.list))
            }
        )
    }

    // MARK: Keeping

    /// A draft that is not stored yet.
    func new(subject: String = "", _ context: ConsoleContext) -> FormDraft {
        FormDraft(
            id: UUID(),
            workspace: context.workspace,
            kind: kind,
            subject: subject,
            fields: "",
            title: "",
            author: context.member.name,
            updatedAt: context.now,
            revision: 0
        )
    }

    /// The posted form, as a draft.
    func posted(_ context: ConsoleContext) -> FormDraft {
        let titles = kind.titleFields.map { context.form[$0] }
        return posted(
            Self.written(in: context.form),
            title: titles.first { !$0.isEmpty } ?? "",
            context
        )
    }

    /// The posted form, as a draft, with these fields.
    func posted(_ fields: FormFields, title: String, _ context: ConsoleContext) -> FormDraft {
        FormDraft(
            id: UUID(uuidString: context.form["draft"]) ?? UUID(),
            workspace: context.workspace,
            kind: kind,
            subject: context.form["subject"],
            fields: fields.urlEncoded,
            title: title.trimmingCharacters(in: .whitespacesAndNewlines),
            author: context.member.name,
            updatedAt: context.now,
            window: context.form["window"]
        )
    }

    /// Stores the posted form.
    func keep(_ context: ConsoleContext) async throws -> FormDraft {
        try await keep(posted(context), context)
    }

    func keep(_ draft: FormDraft, _ context: ConsoleContext) async throws -> FormDraft {
        try await site.services.drafts.keep(draft, seen: Int(context.form["seen"]) ?? 0)
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
        _ context: ConsoleContext
    ) throws -> Response {
        struct Answer: Codable {
            let text: String
            let address: String
            let draft: String
            let seen: Int
            /// Whether the draft was already sent or saved; nothing is stored then.
            let isOver: Bool
        }
        let time = context.words.clock(kept.updatedAt, in: context.zone)
        let text =
            kept.outcome != nil
            ? context.words("draft.over")
            : kept.id == asked
                ? context.words("draft.saved", ["time": time]) : context.words("draft.copied")
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

    func found(_ context: ConsoleContext, _ parameters: Parameters) async throws -> FormDraft {
        guard let id = parameters.get("id").flatMap(UUID.init(uuidString:)),
            let draft = try await site.services.drafts.draft(id, in: context.workspace),
            draft.kind == kind
        else { throw PageError.notFound }
        return draft
    }

    /// Shows a draft with its fields, or its outcome if it is finished.
    func open(
        _ context: ConsoleContext,
        _ parameters: Parameters,
        _ show: (FormDraft, FormFields) async throws -> Response
    ) async throws -> Response {
        let draft = try await found(context, parameters)
        if let outcome = draft.outcome {
            return HTMLResponse.redirect(to: kind.page(of: outcome).path)
        }
        return try await show(draft, draft.written)
    }

    /// The stored draft of a submitted form.
    func known(_ context: ConsoleContext) async throws -> FormDraft? {
        guard let id = UUID(uuidString: context.form["draft"]) else { return nil }
        let draft = try await site.services.drafts.draft(id, in: context.workspace)
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

    func list(_ context: ConsoleContext) async throws -> DraftList {
        guard context.hasRole(atLeast: .marketer) else { return DraftList([], context: context) }
        return DraftList(
            try await site.services.drafts.drafts(kind, in: context.workspace),
            context: context
        )
    }

    /// - Parameter version: The last change of the edited object; `nil` for a new one.
    func frame(
        _ draft: FormDraft,
        version: Date?,
        isConflict: Bool = false,
        _ context: ConsoleContext
    ) async throws -> DraftFrame {
        let others =
            draft.subject.isEmpty || !context.hasRole(atLeast: .marketer)
            ? [] : try await site.services.drafts.drafts(kind, in: context.workspace)
        return DraftFrame(
            draft,
            version: version.map { String($0.milliseconds) } ?? "",
            others: others,
            isConflict: isConflict,
            context: context
        )
    }

    /// The frame of a form that is shown again with errors.
    func frame(_ draft: FormDraft, _ fields: FormFields, _ context: ConsoleContext) async throws
        -> DraftFrame
    {
        try await frame(
            draft,
            version: Int64(fields["version"]).map { Date(milliseconds: $0) },
            context
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
