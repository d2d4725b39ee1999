#if canImport(UserNotifications)
import Foundation
import NoroshiOutbox
import NoroshiWire
import UserNotifications

extension NoroshiNotifications {
    /// The titles of the buttons of the SDK's own categories.
    public struct CategoryTitles: Sendable {
        /// The button to accept.
        public var accept = "Accept"
        /// The button to decline.
        public var decline = "Decline"
        /// The button to agree.
        public var yes = "Yes"
        /// The button to disagree.
        public var no = "No"
        /// The button to confirm.
        public var confirm = "Confirm"
        /// The button to cancel.
        public var cancel = "Cancel"
        /// The button to read more.
        public var more = "More"

        /// The English titles.
        public init() {}
    }

    /// The SDK's own categories with English titles: `noroshi_accept_decline`, `noroshi_yes_no`,
    /// `noroshi_confirm_cancel` and `noroshi_more`; and `noroshi_story` for push stories, without
    /// buttons. An app may add its own.
    public static var categories: Set<UNNotificationCategory> { categories(titles: .init()) }

    /// The SDK's own categories with the given titles.
    public static func categories(titles: CategoryTitles) -> Set<UNNotificationCategory> {
        [
            category(
                "noroshi_accept_decline",
                opening: ("noroshi_accept", titles.accept),
                closing: ("noroshi_decline", titles.decline)
            ),
            category(
                "noroshi_yes_no",
                opening: ("noroshi_yes", titles.yes),
                closing: ("noroshi_no", titles.no)
            ),
            category(
                "noroshi_confirm_cancel",
                opening: ("noroshi_confirm", titles.confirm),
                closing: ("noroshi_cancel", titles.cancel)
            ),
            category("noroshi_more", opening: ("noroshi_more", titles.more), closing: nil),
            UNNotificationCategory(
                identifier: PushPayloadKey.storyCategory,
                actions: [],
                intentIdentifiers: [],
                options: [.customDismissAction]
            ),
        ]
    }

    /// Declares `categories` in addition to those already declared, and records which of their
    /// buttons open the app, so that a tap on one counts as an open.
    public func declare(
        _ categories: Set<UNNotificationCategory>,
        with center: UNUserNotificationCenter
    ) {
        let opening = categories.flatMap(\.actions)
            .filter { $0.options.contains(.foreground) }
            .map(\.identifier)
        openingActions.withLock { $0.formUnion(opening) }
        declared.withLock { $0.add(categories) }
        let declared = declared
        // Apple permits calling the center from any thread but does not declare it.
        nonisolated(unsafe) let center = center
        center.getNotificationCategories { existing in
            // The system replaces the whole set. Categories of the app and of other SDKs must be
            // kept, and so must those of a concurrent call that read the set before this one wrote
            // it.
            declared.withLock { center.setNotificationCategories($0.joined(to: existing)) }
        }
    }

    private static func category(
        _ identifier: String,
        opening: (id: String, title: String),
        closing: (id: String, title: String)?
    ) -> UNNotificationCategory {
        var actions = [
            UNNotificationAction(
                identifier: opening.id,
                title: opening.title,
                options: [.foreground]
            )
        ]
        if let closing {
            actions.append(
                UNNotificationAction(identifier: closing.id, title: closing.title, options: [])
            )
        }
        return UNNotificationCategory(
            identifier: identifier,
            actions: actions,
            intentIdentifiers: [],
            options: [.customDismissAction]
        )
    }
}

/// The categories declared so far, each with its latest buttons.
struct DeclaredCategories: @unchecked Sendable {
    // `@unchecked` holds because categories are immutable.
    private var byName: [String: UNNotificationCategory] = [:]

    mutating func add(_ categories: Set<UNNotificationCategory>) {
        for category in categories { byName[category.identifier] = category }
    }

    func joined(to existing: Set<UNNotificationCategory>) -> Set<UNNotificationCategory> {
        existing.filter { byName[$0.identifier] == nil }.union(byName.values)
    }
}
#endif
