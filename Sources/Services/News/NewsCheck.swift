import Foundation
import Model
import Reasons

/// What a news item must be like to be kept.
package enum NewsCheck {
    private static let maxTitleLength = 250
    private static let maxTextLength = 100_000
    private static let maxTags = 50

    /// Everything that is wrong with a content.
    package static func problems(of content: NewsContent) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func add(
            _ field: FieldPath.News,
            _ code: FieldReason,
            _ arguments: [String: Reason.Argument] = [:],
            when isBroken: Bool
        ) {
            if isBroken { problems.append(FieldProblem(.news(field), code, arguments)) }
        }
        let title = content.title.trimmingCharacters(in: .whitespacesAndNewlines)
        add(.title, .empty, when: title.isEmpty)
        add(.title, .tooLong, when: title.count > maxTitleLength)
        add(.text, .tooLong, when: content.text.utf8.count > maxTextLength)
        add(.tags, .tooMany, ["count": "\(maxTags)"], when: content.tags.count > maxTags)
        let isOpenable = LinkAddress.isOpenable(content.url)
        add(.url, .openableAddress, when: !content.url.isEmpty && !isOpenable)
        let isSecure = content.imageURL.hasPrefix("https://")
        add(.imageURL, .secureAddress, when: !content.imageURL.isEmpty && !isSecure)
        if let from = content.releaseFrom, let end = content.releaseEnd {
            add(.releaseEnd, .newsEnd, when: end <= from)
        }
        return problems
    }
}
