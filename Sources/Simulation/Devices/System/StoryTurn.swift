import Foundation
import NoroshiExtensions

/// How the pages of a push story are turned.
package enum StoryTurn: String, Sendable, Codable, CaseIterable {
    case forward, back
    /// Because the time of a page is over.
    case byItself
}

extension NoroshiPushStory {
    mutating func turn(_ turn: StoryTurn) {
        switch turn {
        case .forward: turnForward()
        case .back: turnBack()
        case .byItself: _ = advance()
        }
    }
}

extension VirtualPhoneState.Banner.Story {
    /// - Parameter pictures: The files of the pictures by page, from 1, as far as there are any.
    init(_ story: NoroshiPushStory, pictures: [Int: String] = [:]) {
        pages = story.pages.enumerated().map { index, page in
            Page(
                title: page.title,
                subtitle: page.subtitle,
                image: page.image?.absoluteString ?? "",
                picture: pictures[index + 1]
            )
        }
        number = story.number
        isAdvancing = story.isAdvancing
    }

    /// How long a page is shown before the next one comes by itself, in seconds.
    package static var pageSeconds: Double { NoroshiPushStory.pageSeconds }

    /// Shows the page of a story that was turned.
    mutating func follow(_ story: NoroshiPushStory) {
        number = story.number
        isAdvancing = story.isAdvancing
    }
}
