#if canImport(UserNotifications)
import Foundation
import NoroshiOutbox
import UserNotifications

extension NoroshiNotifications {
    /// The words on the buttons of the SDK's own categories.
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
        /// The button to read on.
        public var more = "More"

        /// The English words.
        public init() {}
    }

    /// The SDK's own categories with English words: `noroshi_accept_decline`, `noroshi_yes_no`,
    /// `noroshi_confirm_cancel` and `noroshi_more`. An app may insert its own beside them.
    public static var categories: Set<UNNotificationCategory> { categories(titles: .init()) }

    /// The SDK's own categories with the words `titles`.
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
        ]
    }

    /// Declares `categories` beside those that are declared already, and learns which of their
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
        // Apple lets any thread call the center and does not say so to the compiler.
        nonisolated(unsafe) let center = center
        center.getNotificationCategories { existing in
            // The system replaces the whole set; those of the app and of other SDKs have to stay,
            // and so have those of a second call that has read the set before this one wrote it.
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

/// The categories that were declared so far, each with its latest buttons.
struct DeclaredCategories: @unchecked Sendable {
    // `@unchecked` holds because categories never change after they are made.
    private var byName: [String: UNNotificationCategory] = [:]

    mutating func add(_ categories: Set<UNNotificationCategory>) {
        for category in categories { byName[category.identifier] = category }
    }

    func joined(to existing: Set<UNNotificationCategory>) -> Set<UNNotificationCategory> {
        existing.filter { byName[$0.identifier] == nil }.union(byName.values)
    }
}
#endif
