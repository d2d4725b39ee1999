import Audience
import Campaigns
import Content
import Hummingbird
import Model
import News
import Sends
import WebPages

extension ConsoleRenderer {
    private static let attributeLimit = 50
    private static let eventLimit = 200
    private static let blockLimit = 50

    /// A form, with the name of its selected segment.
    func withSegmentName(_ form: PushForm, _ context: ConsoleContext) async throws -> PushForm {
        guard form.audience.kind == .segment, let id = Int64(form.audience.segment),
            let segment = try await services.segments
                .segment(SegmentID(id), in: context.workspace)
        else { return form }
        var form = form
        form.audience.segmentName = segment.content.name
        return form
    }

    /// The composer page of a push.
    func composerPage(
        _ form: PushForm,
        _ context: ConsoleContext,
        draft: FormDraft? = nil,
        faults: [FormFieldError] = []
    ) async throws -> Response {
        var page = try await composer(form, faults: faults, context)
        let desk = DraftDesk(site: self, kind: .push)
        page.draft = try await desk.frame(
            draft ?? desk.new(subject: form.editing, context),
            version: nil,
            context
        )
        return try self.page(
            "push-composer",
            page,
            title: context.words("push.new"),
            place: .push,
            context: context,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    /// The composer, as a page or as part of another page.
    func composer(
        _ form: PushForm,
        faults: [FormFieldError],
        _ context: ConsoleContext
    ) async throws -> PushComposerPage {
        var news: String?
        if let id = form.news.flatMap({ Int64($0.id) }) {
            news = try await services.news.item(NewsID(id), in: context.workspace)?.content.title
        }
        let known = try await conditionVocabulary(context)
        return PushComposerPage(
            form: form,
            newsTitle: news,
            faults: faults.filter { PushField(rawValue: $0.field) != nil },
            conditionVocabulary: known,
            insertMenu: InsertMenu(
                InsertMenu.Content(
                    attributes: known.attributes,
                    blocks: try await services.blocks.blocks(
                        in: context.workspace,
                        matching: ContentBlockQuery(limit: Self.blockLimit)
                    ),
                    catalogs: try await services.catalogs.catalogs(in: context.workspace)
                ),
                words: context.words
            ),
            segments: try await services.segments.segments(in: context.workspace),
            hasControlGroup: try await services.limits.limits(of: context.workspace).controlGroup
                != nil,
            context: context
        )
    }

    /// The custom attributes that forms offer, the most used first.
    func customAttributes(_ context: ConsoleContext) async throws -> [String] {
        try await services.review.customAttributes(
            in: context.workspace,
            limit: Self.attributeLimit
        )
    }

    /// The app's own events that forms offer.
    func eventNames(_ context: ConsoleContext) async throws -> [String] {
        try await services.review.eventNames(in: context.workspace, limit: Self.eventLimit)
    }

    /// What rows of conditions can choose from.
    func conditionVocabulary(_ context: ConsoleContext) async throws -> ConditionRows.Vocabulary {
        ConditionRows.Vocabulary(
            attributes: try await customAttributes(context),
            kinds: try await services.vocabulary.kinds(in: context.workspace),
            events: try await eventNames(context)
        )
    }

    // MARK: What is written

    /// The content of a form for a changed, copied or new push, except its audience.
    ///
    /// - Returns: The content, with the audience of that push if the form did not change it.
    func message(
        of form: PushForm,
        _ context: ConsoleContext
    ) async throws -> (content: SendContent, hasAudience: Bool) {
        var content = SendContent.unwritten
        var shown: AudienceChoice?
        if let number = Int64(form.editing) ?? Int64(form.basis),
            let send = try await services.sends.send(SendID(number), in: context.workspace),
            // A push launched by a campaign can only be changed through the campaign.
            send.content.launch == nil
        {
            content = send.content
            shown = try await services.choices.choice(of: content.audience)
        }
        form.apply(to: &content, shownAs: PushForm(content, audience: shown ?? .everyone))
        return (content, shown.map(form.audience.stillSays) ?? false)
    }

    /// The content that a form describes.
    ///
    /// - Throws: ``FormError``.
    func content(of form: PushForm, _ context: ConsoleContext) async throws -> SendContent {
        var (content, hasAudience) = try await message(of: form, context)
        if !hasAudience {
            content.audience = try await Self.naming(context) {
                try await services.choices.audience(form.audience.choice, in: context.workspace)
            }
        }
        // A copy is sent at its author's time, to all users at the same moment.
        if form.editing.isEmpty { content.localMoment = nil }
        content.heldUntil = nil
        return content
    }

    /// A message as rendered for one user.
    ///
    /// - Throws: ``FormError`` if it is invalid or too large.
    func preview(
        _ content: SendContent,
        for user: String,
        _ context: ConsoleContext
    ) async throws -> MessagePreview {
        let preview = try await services.review.preview(
            of: content,
            for: user,
            in: context.workspace
        )
        var faults = preview.problems.map {
            FormFieldError($0, at: PushForm.name, context.words)
        }
        if faults.isEmpty, preview.isTooLarge {
            let text = context.words(
                "fault.payload",
                [
                    "bytes": context.words.number(preview.bytes),
                    "limit": context.words.number(preview.limit),
                ]
            )
            faults.append(FormFieldError(field: "message", text: text))
        }
        guard faults.isEmpty else { throw FormError(faults: faults) }
        return preview
    }

    /// Maps errors of the services to the composer's fields.
    ///
    /// - Throws: ``FormError`` and whatever else the work throws.
    static func naming<Value>(
        _ context: ConsoleContext,
        _ work: () async throws -> Value
    ) async throws -> Value {
        try await FormError.naming(context.words, PushForm.name, work)
    }
}
