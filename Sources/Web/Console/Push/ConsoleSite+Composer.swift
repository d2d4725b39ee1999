import Hummingbird
import Model
import WebPages

extension ConsoleSite {
    /// A form with the name of the segment that is chosen in it.
    func withSegmentName(_ form: PushForm, _ visit: Visit) async throws -> PushForm {
        guard form.audience.kind == .segment, let segments = features.segments,
            let id = Int64(form.audience.segment),
            let segment = try await segments.segment(id: id, for: visit.member)
        else { return form }
        var form = form
        form.audience.segmentName = segment.row.name
        return form
    }

    /// The page on which a push is written.
    func composerPage(
        _ form: PushForm,
        _ visit: Visit,
        draft: FormDraft? = nil,
        faults: [FieldFault] = []
    ) async throws -> Response {
        var page = try await composer(form, faults: faults.map { FormFault($0) }, visit)
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

    /// The composer's page, or the part of another page that it is.
    func composer(
        _ form: PushForm,
        faults: [FormFault],
        _ visit: Visit
    ) async throws -> PushComposerPage {
        var news: String?
        if let pages = features.news, let id = Int64(form.newsID) {
            news = try await pages.newsItem(id: id, for: visit.member)?.row.title
        }
        return PushComposerPage(
            form: form,
            newsTitle: news,
            faults: faults.compactMap { FieldFault($0) },
            attributes: try await services.personalAttributes(for: visit.member),
            segments: try await features.segments?.segments(for: visit.member),
            eventNames: try await services.eventNames(for: visit.member),
            visit: visit
        )
    }
}
