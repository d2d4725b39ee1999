import Foundation
import Model
import WebPages

/// The raw fields of a page of a push story.
struct StoryFields: Hashable {
    var image: String
    var title: String
    var subtitle: String
    var url: String

    /// The pages of a form in their order, without rows that are empty.
    ///
    /// - Parameter prefix: What the names of the fields begin with.
    static func all(_ fields: FormFields, prefix: String = "") -> [StoryFields] {
        let images = fields.all(prefix + "storyImage")
        let titles = fields.all(prefix + "storyTitle")
        let subtitles = fields.all(prefix + "storySubtitle")
        let urls = fields.all(prefix + "storyURL")
        let count = [images, titles, subtitles, urls].map(\.count).min() ?? 0
        return (0..<count).map { index in
            StoryFields(
                image: images[index].trimmingCharacters(in: .whitespaces),
                title: titles[index],
                subtitle: subtitles[index],
                url: urls[index].trimmingCharacters(in: .whitespaces)
            )
        }
        .filter { !$0.isEmpty }
    }

    private var isEmpty: Bool { (image + title + subtitle + url).isEmpty }

    var page: StoryPage {
        StoryPage(image: image, title: title, subtitle: subtitle, uri: url.isEmpty ? nil : url)
    }

    /// A readable line: title, subtitle, picture and address, as far as they are there.
    var line: String {
        [title, subtitle, image, url].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

extension StoryFields {
    init(_ page: StoryPage) {
        self.init(
            image: page.image,
            title: page.title,
            subtitle: page.subtitle,
            url: page.uri ?? ""
        )
    }

    /// Whether a picture has an address that phones load, or could be one after rendering.
    private var hasPicture: Bool { image.hasPrefix("https://") || image.hasPrefix("{") }

    private var hasOpenableAddress: Bool { url.isEmpty || LinkAddress.mayBeOpenable(url) }

    /// Reports what is wrong with the pages of a story.
    static func check(
        _ story: [StoryFields],
        prefix: String = "",
        _ check: inout FormValidator
    ) {
        guard !story.isEmpty else { return }
        let name = prefix + PushField.story.rawValue
        if !StoryPage.count.contains(story.count) || story.contains(where: { $0.image.isEmpty }) {
            check.fault(name, "fault.story_pages")
        } else if !story.allSatisfy(\.hasPicture) {
            check.fault(name, "fault.image")
        } else if !story.allSatisfy(\.hasOpenableAddress) {
            check.fault(name, "reason.field.openableAddress")
        }
    }
}
