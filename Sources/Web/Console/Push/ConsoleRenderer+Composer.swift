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
    func withSegmentName(_ form: PushForm, _ visit: Visit) async throws -> PushForm {
        guard form.audience.kind == .segment, let id = Int64(form.audience.segment),
            let segment = try await services.segments
                .segment(SegmentID(id), in: visit.workspace)
        else { return form }
        var form = form
        form.audience.segmentName = segment.content.name
        return form
    }

    /// The composer page of a push.
    func composerPage(
        _ form: PushForm,
        _ visit: Visit,
        draft: FormDraft? = nil,
        faults: [FormFault] = []
    ) async throws -> Response {
        var page = try await composer(form, faults: faults, visit)
        let desk = DraftDesk(site: self, kind: .push)
        page.draft = try await desk.frame(
            draft ?? desk.new(subject: form.editing, visit),
            version: nil,
            visit
        )
        return try self.page(
            "push-composer",
            page,
            title: visit.words("push.new"),
            place: .push,
            visit: visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    /// The composer, as a page or as part of another page.
    func composer(
        _ form: PushForm,
        faults: [FormFault],
        _ visit: Visit
    ) async throws -> PushComposerPage {
        var news: String?
        if let id = form.news.flatMap({ Int64($0.id) }) {
            news = try await services.news.item(NewsID(id), in: visit.workspace)?.content.title
        }
        let known = try await conditionVocabulary(visit)
        return PushComposerPage(
            form: form,
            newsTitle: news,
            faults: faults.filter { PushField(rawValue: $0.field) != nil },
            conditionVocabulary: known,
            insertMenu: InsertMenu(
                InsertMenu.Content(
                    attributes: known.attributes,
                    blocks: try await services.blocks.blocks(
                        in: visit.workspace,
                        matching: ContentBlockQuery(limit: Self.blockLimit)
                    ),
                    catalogs: try await services.catalogs.catalogs(in: visit.workspace)
                ),
                words: visit.words
            ),
            segments: try await services.segments.segments(in: visit.workspace),
            hasControlGroup: try await services.limits.limits(of: visit.workspace).controlGroup
                != nil,
            visit: visit
        )
    }

    /// The custom attributes that forms offer, the most used first.
    func customAttributes(_ visit: Visit) async throws -> [String] {
        try await services.review.customAttributes(
            in: visit.workspace,
            limit: Self.attributeLimit
        )
    }

    /// The app's own events that forms offer.
    func eventNames(_ visit: Visit) async throws -> [String] {
        try await services.review.eventNames(in: visit.workspace, limit: Self.eventLimit)
    }

    /// What rows of conditions can choose from.
    func conditionVocabulary(_ visit: Visit) async throws -> ConditionRows.Vocabulary {
        ConditionRows.Vocabulary(
            attributes: try await customAttributes(visit),
            kinds: try await services.vocabulary.kinds(in: visit.workspace),
            events: try await eventNames(visit)
        )
    }

    // MARK: What is written

    /// The content of a form for a changed, copied or new push, except its audience.
    ///
    /// - Returns: The content, with the audience of that push if the form did not change it.
    func message(
        of form: PushForm,
        _ visit: Visit
    ) async throws -> (content: SendContent, hasAudience: Bool) {
        var content = SendContent.unwritten
        var shown: AudienceChoice?
        if let number = Int64(form.editing) ?? Int64(form.basis),
            let send = try await services.sends.send(SendID(number), in: visit.workspace),
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
    /// - Throws: ``FormRejected``.
    func content(of form: PushForm, _ visit: Visit) async throws -> SendContent {
        var (content, hasAudience) = try await message(of: form, visit)
        if !hasAudience {
            content.audience = try await Self.naming(visit) {
                try await services.choices.audience(form.audience.choice, in: visit.workspace)
            }
        }
        // A copy is sent at its author's time, to all users at the same moment.
        if form.editing.isEmpty { content.localMoment = nil }
        content.heldUntil = nil
        return content
    }

    /// A message as rendered for one user.
    ///
    /// - Throws: ``FormRejected`` if it is invalid or too large.
    func preview(
        _ content: SendContent,
        for user: String,
        _ visit: Visit
    ) async throws -> MessagePreview {
        let preview = try await services.review.preview(of: content, for: user, in: visit.workspace)
        var faults = preview.problems.map {
            FormFault($0, at: PushForm.name, visit.words)
        }
        if faults.isEmpty, preview.isTooLarge {
            let text = visit.words(
                "fault.payload",
                [
                    "bytes": visit.words.number(preview.bytes),
                    "limit": visit.words.number(preview.limit),
                ]
            )
            faults.append(FormFault(field: "message", text: text))
        }
        guard faults.isEmpty else { throw FormRejected(faults: faults) }
        return preview
    }

    /// Maps errors of the services to the composer's fields.
    ///
    /// - Throws: ``FormRejected`` and whatever else the work throws.
    static func naming<Value>(
        _ visit: Visit,
        _ work: () async throws -> Value
    ) async throws -> Value {
        try await FormRejected.naming(visit.words, PushForm.name, work)
    }
}
