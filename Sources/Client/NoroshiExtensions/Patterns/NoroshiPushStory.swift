import Foundation
import NoroshiOutbox
import NoroshiWire

/// The pattern of a push story: pages with a picture that the user turns, each with a link of its own.
///
/// The first tap on an arrow ends the turning by itself, and so does the last page. Turning by hand
/// goes on with the first page after the last one.
public struct NoroshiPushStory: Sendable, Equatable {
    /// A page.
    public struct Page: Sendable, Equatable {
        /// The address of the picture; `nil` if it is none.
        public var image: URL?
        /// The title; empty if there is none.
        public var title: String
        /// The line below the title; empty if there is none.
        public var subtitle: String
        /// The target of a tap; `nil` for that of the push.
        public var link: URL?
    }

    /// How long a page is shown before the next one comes by itself, in seconds.
    public static let pageSeconds: TimeInterval = 4

    /// The pages in their order, at least one.
    public let pages: [Page]
    /// The index of the visible page.
    public private(set) var index = 0
    /// Whether the pages still turn by themselves.
    public private(set) var isAdvancing: Bool
    private let dispatch: UUID

    /// The story of a push.
    public init(_ content: NoroshiNotificationContent) throws(NoroshiContentError) {
        guard let payload = content.payload, let story = Self(payload) else {
            throw .missingPair(key: PushPayloadKey.story)
        }
        self = story
    }

    /// The story of a push; `nil` if it has none.
    package init?(_ payload: PushPayload) {
        guard !payload.story.isEmpty else { return nil }
        dispatch = payload.dispatch
        pages = payload.story.map {
            Page(image: $0.image, title: $0.title, subtitle: $0.subtitle, link: $0.uri)
        }
        isAdvancing = pages.count > 1
    }

    /// The visible page.
    public var page: Page { pages[index] }

    /// The number of the visible page, from 1.
    public var number: Int { index + 1 }

    /// Turns to the next page, after the last one to the first.
    public mutating func turnForward() {
        isAdvancing = false
        index = (index + 1) % pages.count
    }

    /// Turns to the page before, from the first one to the last.
    public mutating func turnBack() {
        isAdvancing = false
        index = (index + pages.count - 1) % pages.count
    }

    /// Turns to the next page because its time is over.
    /// - Returns: Whether it has turned; `false` once the pages no longer turn by themselves.
    public mutating func advance() -> Bool {
        guard isAdvancing else { return false }
        index += 1
        isAdvancing = index < pages.count - 1
        return true
    }

    /// The effects of a tap on the visible page: the app opens, follows the page's link, and reports
    /// the page with the open.
    public func open() -> [NoroshiPatternEffect] {
        [.storyPage(number, dispatch: dispatch), .respond(.dismissAndForward)]
    }
}
