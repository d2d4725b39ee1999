import Foundation
import WebPages

/// The fields of the news form as they were typed.
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
    /// As `datetime-local` writes it, in the workspace's time zone.
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

    init(_ draft: NewsDraft, visit: Visit) {
        title = draft.title
        text = draft.text
        tenant = draft.tenant
        category = draft.category
        tags = draft.tags.joined(separator: ", ")
        url = draft.url
        imageURL = draft.imageURL
        attributes = draft.attributes
        let isLater = draft.releaseFrom.map { $0 > visit.now } ?? false
        publication = draft.isDraft ? .draft : isLater ? .later : .now
        releaseFrom = draft.releaseFrom.map { LocalTime.text($0, in: visit.zone) } ?? ""
        releaseEnd = draft.releaseEnd.map { LocalTime.text($0, in: visit.zone) } ?? ""
    }

    /// The draft, or every field that has to be changed first.
    ///
    /// - Parameter known: The item as it is stored; what is published keeps the time since when.
    func checked(known: NewsDraft?, visit: Visit) throws(NewsRejected) -> NewsDraft {
        var draft = NewsDraft()
        var faults: [NewsFault] = []
        draft.title = title
        draft.text = text
        draft.tenant = tenant
        draft.category = category
        draft.tags = tags.split(whereSeparator: { ",、，".contains($0) })
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        draft.url = url
        draft.imageURL = imageURL
        draft.attributes = attributes
        if !attributes.isEmpty {
            let object = try? JSONSerialization.jsonObject(with: Data(attributes.utf8))
            if !(object is [String: Any]) { faults.append(NewsFault(.attributes, .notAnObject)) }
        }
        draft.isDraft = publication == .draft
        let start = LocalTime.date(releaseFrom, in: visit.zone)
        switch publication {
        case .draft:
            draft.releaseFrom = start
        case .now:
            let earlier = known?.releaseFrom.flatMap { $0 <= visit.now ? $0 : nil }
            draft.releaseFrom = known?.isDraft == false ? earlier ?? visit.now : visit.now
        case .later:
            draft.releaseFrom = start
            if start == nil { faults.append(NewsFault(.releaseFrom, .noDate)) }
        }
        if !releaseEnd.isEmpty {
            draft.releaseEnd = LocalTime.date(releaseEnd, in: visit.zone)
            if draft.releaseEnd == nil { faults.append(NewsFault(.releaseEnd, .noDate)) }
        }
        if title.isEmpty { faults.append(NewsFault(.title, .empty)) }
        guard faults.isEmpty else { throw NewsRejected(faults: faults) }
        return draft
    }
}
