import Foundation
import NoroshiContent
@_spi(Testing) import NoroshiOutbox
import UIKit
import UserNotifications
import UserNotificationsUI

/// Runs a notification content extension like the system: shows its view, passes on touches, and does
/// what it asks for.
@MainActor
final class ContentExtensionHost {
    /// What the extension asks of the system.
    enum Call: Sendable {
        case dismiss, open
    }

    /// The categories in the extension's Info.plist; stories are paged by the phone itself.
    nonisolated static let categories: Set = [
        "noroshi_capture", "noroshi_progress", "noroshi_wheel", "noroshi_match",
    ]

    private let controller: DemoContentController
    private let context = NSExtensionContext()
    /// Counts what has been drawn, so that an older picture does not take the place of a newer one.
    private var revision = 0

    /// - Parameters:
    ///   - changed: Called whenever the view looks different.
    ///   - called: Called with what the extension asks of the system.
    init(
        configuration: NoroshiConfiguration,
        dependencies: NoroshiDependencies,
        language: String,
        changed: @escaping @Sendable () -> Void,
        called: @escaping @Sendable (Call) -> Void
    ) {
        controller = DemoContentController(
            configuration: configuration,
            dependencies: dependencies,
            language: language
        )
        controller.shimExtensionContext = context
        context.shimOnCall = { called($0 == "open" ? .open : .dismiss) }
        controller.view?.shimOnChange = { [weak self] in
            self?.revision += 1
            changed()
        }
    }

    func show(_ description: NotificationDescription) {
        controller.didReceive(description.notification())
    }

    /// What is visible now, and how many pictures came before.
    var picture: (revision: Int, content: ContentElement?) {
        (revision, controller.contentView.flatMap { ContentElement($0, id: "0") })
    }

    /// Touches a button.
    ///
    /// - Returns: Whether there is one that takes touches.
    func touch(_ element: String) -> Bool {
        guard let button = find(element) as? UIButton, button.isEnabled else { return false }
        button.sendActions(for: .touchUpInside)
        return true
    }

    /// Types into a field.
    ///
    /// - Returns: Whether there is one.
    func type(_ text: String, into element: String) -> Bool {
        guard let field = find(element) as? UITextField else { return false }
        field.text = text
        field.sendActions(for: .editingChanged)
        revision += 1
        return true
    }

    /// Passes on the tap on an action button of the notification.
    func respond(
        to description: NotificationDescription,
        action: String
    ) async -> UNNotificationContentExtensionResponseOption {
        await withCheckedContinuation { continuation in
            controller.didReceive(
                UNNotificationResponse(
                    shimNotification: description.notification(),
                    actionIdentifier: action
                )
            ) { continuation.resume(returning: $0) }
        }
    }

    /// The visible view in this place.
    private func find(_ element: String) -> UIView? {
        var places = element.split(separator: ".").map { Int($0) ?? -1 }[...]
        guard places.popFirst() == 0 else { return nil }
        var found = controller.contentView
        for place in places {
            guard let view = found, !view.isHidden, view.subviews.indices.contains(place) else {
                return nil
            }
            found = view.subviews[place]
        }
        return found?.isHidden == false ? found : nil
    }
}
