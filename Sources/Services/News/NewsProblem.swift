import Foundation
import Model

/// A field of a news item that breaks a rule.
package struct NewsProblem: Sendable, Hashable {
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case title, text, url, imageURL, tags, releaseEnd
    }

    /// What is wrong, for whoever puts it into words.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case empty
        case tooLong = "too_long"
        case notAnAddress = "not_an_address"
        case notSecure = "not_secure"
        case tooMany = "too_many"
        case endsBeforeStart = "ends_before_start"
    }

    package static let longestTitle = 250
    package static let longestText = 100_000
    package static let mostTags = 50

    package var field: Field
    package var kind: Kind

    package init(_ field: Field, _ kind: Kind) {
        self.field = field
        self.kind = kind
    }

    /// Everything that is wrong with a content.
    package static func all(of content: NewsContent) -> [NewsProblem] {
        var problems: [NewsProblem] = []
        func add(_ field: Field, _ kind: Kind, when isBroken: Bool) {
            if isBroken { problems.append(NewsProblem(field, kind)) }
        }
        let title = content.title.trimmingCharacters(in: .whitespacesAndNewlines)
        add(.title, .empty, when: title.isEmpty)
        add(.title, .tooLong, when: title.count > longestTitle)
        add(.text, .tooLong, when: content.text.utf8.count > longestText)
        add(.tags, .tooMany, when: content.tags.count > mostTags)
        let hasScheme = content.url.contains(":") && URL(string: content.url)?.scheme != nil
        add(.url, .notAnAddress, when: !content.url.isEmpty && !hasScheme)
        let isSecure = content.imageURL.hasPrefix("https://")
        add(.imageURL, .notSecure, when: !content.imageURL.isEmpty && !isSecure)
        if let from = content.releaseFrom, let end = content.releaseEnd {
            add(.releaseEnd, .endsBeforeStart, when: end <= from)
        }
        return problems
    }
}

/// News that cannot be saved as it is.
package struct NewsProblems: Error, Sendable, Hashable {
    package var problems: [NewsProblem]

    package init(problems: [NewsProblem]) {
        self.problems = problems
    }
}
