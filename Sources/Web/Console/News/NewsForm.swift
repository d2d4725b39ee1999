import Foundation
import Model
import NoroshiWire
import WebPages

/// The raw fields of the news form.
struct NewsForm {
    enum Publication: String, CaseIterable {
        case draft, now, later
    }

    var title = ""
    var text = ""
    var tenant = ""
    var category = ""
    var tags = ""
    var url = ""
    var imageURL = ""
    var attributes = ""
    var publication = Publication.draft
    /// In the format of `datetime-local`, in the workspace's time zone.
    var releaseFrom = ""
    var releaseEnd = ""

    init() {}

    init(fields: FormFields) {
        title = fields.trimmed("title")
        text = fields["text"]
        tenant = fields.trimmed("tenant")
        category = fields.trimmed("category")
        tags = fields.trimmed("tags")
        url = fields.trimmed("url")
        imageURL = fields.trimmed("imageURL")
        attributes = fields.trimmed("attributes")
        publication = Publication(rawValue: fields["publication"]) ?? .draft
        releaseFrom = fields["releaseFrom"]
        releaseEnd = fields["releaseEnd"]
    }

    init(_ content: NewsContent, context: ConsoleContext) {
        title = content.title
        text = content.text
        tenant = content.tenant
        category = content.category
        tags = content.tags.joined(separator: ", ")
        url = content.url
        imageURL = content.imageURL
        attributes =
            content.attributes.isEmpty ? "" : JSONValue.object(content.attributes).shownText
        let isLater = content.releaseFrom.map { $0 > context.now } ?? false
        publication = content.isDraft ? .draft : isLater ? .later : .now
        releaseFrom =
            content.releaseFrom.map { DateTimeLocalFormat.text($0, in: context.zone) } ?? ""
        releaseEnd = content.releaseEnd.map { DateTimeLocalFormat.text($0, in: context.zone) } ?? ""
    }

    /// Applies the fields to an item's content. A published item keeps its start time, and an
    /// unchanged time keeps its seconds.
    ///
    /// - Parameter isNew: Whether nothing of the content is stored yet.
    /// - Throws: ``FormError`` with every field that has to be changed first.
    func apply(
        to content: inout NewsContent,
        isNew: Bool,
        _ context: ConsoleContext
    ) throws(FormError) {
        let shown = NewsForm(content, context: context)
        var check = FormValidator(context: context)
        content.title = title
        content.text = text.written(over: content.text)
        content.tenant = tenant
        content.category = category
        content.tags = tags.split(whereSeparator: { ",、，".contains($0) })
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        content.url = url
        content.imageURL = imageURL
        if attributes != shown.attributes {
            let values = try? JSONDecoder().decode(
                [String: JSONValue].self,
                from: Data(attributes.utf8)
            )
            if values == nil, !attributes.isEmpty {
                check.fault("attributes", "news.fault.not_an_object")
            }
            content.attributes = values ?? [:]
        }
        let start =
            !isNew && releaseFrom == shown.releaseFrom
            ? content.releaseFrom : DateTimeLocalFormat.date(releaseFrom, in: context.zone)
        switch publication {
        case .draft:
            content.releaseFrom = start
        case .now:
            let earlier = content.releaseFrom.flatMap { $0 <= context.now ? $0 : nil }
            content.releaseFrom = !isNew && !content.isDraft ? earlier ?? context.now : context.now
        case .later:
            content.releaseFrom = start
            if start == nil { check.fault("releaseFrom", "news.fault.no_date") }
        }
        content.isDraft = publication == .draft
        if isNew || releaseEnd != shown.releaseEnd {
            content.releaseEnd = DateTimeLocalFormat.date(releaseEnd, in: context.zone)
            if content.releaseEnd == nil, !releaseEnd.isEmpty {
                check.fault("releaseEnd", "news.fault.no_date")
            }
        }
        if title.isEmpty { check.fault("title", "news.fault.empty") }
        guard check.faults.isEmpty else { throw FormError(faults: check.faults) }
    }
}
