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
        func line(_ name: String) -> String {
            fields[name].trimmingCharacters(in: .whitespacesAndNewlines)
        }
        title = line("title")
        text = fields["text"].replacingOccurrences(of: "\r\n", with: "\n")
        tenant = line("tenant")
        category = line("category")
        tags = line("tags")
        url = line("url")
        imageURL = line("imageURL")
        attributes = line("attributes")
        publication = Publication(rawValue: fields["publication"]) ?? .draft
        releaseFrom = fields["releaseFrom"]
        releaseEnd = fields["releaseEnd"]
    }

    init(_ content: NewsContent, visit: Visit) {
        title = content.title
        text = content.text
        tenant = content.tenant
        category = content.category
        tags = content.tags.joined(separator: ", ")
        url = content.url
        imageURL = content.imageURL
        attributes =
            content.attributes.isEmpty ? "" : JSONValue.object(content.attributes).shownText
        let isLater = content.releaseFrom.map { $0 > visit.now } ?? false
        publication = content.isDraft ? .draft : isLater ? .later : .now
        releaseFrom = content.releaseFrom.map { LocalTime.text($0, in: visit.zone) } ?? ""
        releaseEnd = content.releaseEnd.map { LocalTime.text($0, in: visit.zone) } ?? ""
    }

    /// Applies the fields to an item's content. A published item keeps its start time, and an
    /// unchanged time keeps its seconds.
    ///
    /// - Parameter isNew: Whether the content is not stored yet.
    /// - Throws: ``NewsRejected`` with every invalid field.
    func apply(
        to content: inout NewsContent,
        isNew: Bool,
        _ visit: Visit
    ) throws(NewsRejected) {
        let shown = NewsForm(content, visit: visit)
        var faults: [NewsFault] = []
        content.title = title
        content.text = text
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
                faults.append(NewsFault(.attributes, .notAnObject))
            }
            content.attributes = values ?? [:]
        }
        let start =
            !isNew && releaseFrom == shown.releaseFrom
            ? content.releaseFrom : LocalTime.date(releaseFrom, in: visit.zone)
        switch publication {
        case .draft:
            content.releaseFrom = start
        case .now:
            let earlier = content.releaseFrom.flatMap { $0 <= visit.now ? $0 : nil }
            content.releaseFrom = !isNew && !content.isDraft ? earlier ?? visit.now : visit.now
        case .later:
            content.releaseFrom = start
            if start == nil { faults.append(NewsFault(.releaseFrom, .noDate)) }
        }
        content.isDraft = publication == .draft
        if isNew || releaseEnd != shown.releaseEnd {
            content.releaseEnd = LocalTime.date(releaseEnd, in: visit.zone)
            if content.releaseEnd == nil, !releaseEnd.isEmpty {
                faults.append(NewsFault(.releaseEnd, .noDate))
            }
        }
        if title.isEmpty { faults.append(NewsFault(.title, .empty)) }
        guard faults.isEmpty else { throw NewsRejected(faults: faults) }
    }
}
