import ClientTesting
import Foundation
import NoroshiOutbox
import NoroshiWire
import UIKit
import UserNotifications
import UserNotificationsUI
import WebKit

@testable import NoroshiContent
@testable import NoroshiUI

// What the tests do with UIKit's objects; a file that imports Testing may not import UIKit on Linux.

@MainActor
final class TestContentController: NoroshiContentViewController {
    var chosenConfiguration: NoroshiConfiguration?
    var chosenDependencies = NoroshiDependencies()

    override var configuration: NoroshiConfiguration? { chosenConfiguration }
    override var dependencies: NoroshiDependencies { chosenDependencies }
}

@MainActor
struct ContentScreen {
    let controller = TestContentController()

    init(folder: URL, transport: any NoroshiTransport) {
        var configuration = NoroshiConfiguration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder
        configuration.logger.level = .disabled
        controller.chosenConfiguration = configuration
        controller.chosenDependencies = NoroshiDependencies(
            sleep: { _ in await Task.yield() },
            transport: transport
        )
        controller.shimExtensionContext = NSExtensionContext()
    }

    /// What the extension has asked of the system.
    var calls: [String] { controller.shimExtensionContext?.shimCalls ?? [] }

    var height: Double { Double(controller.preferredContentSize.height) }

    /// What the empty field says, if there is a field with an edge.
    var placeholder: String? {
        guard let field = (controller.contentView as? CaptureView)?.field,
            field.borderStyle != .none
        else { return nil }
        return field.placeholder
    }

    private func notification(_ category: String, _ pairs: [String: String]) -> UNNotification {
        let content = UNMutableNotificationContent()
        content.title = "Title"
        var userInfo: [AnyHashable: Any] = pairs
        userInfo["aps"] = ["category": category]
        content.userInfo = userInfo
        return UNNotification(
            shimRequest: UNNotificationRequest(identifier: "n", content: content, trigger: nil),
            date: Date()
        )
    }

    func show(_ category: String, _ pairs: [String: String]) {
        controller.didReceive(notification(category, pairs))
    }

    /// The texts of all visible labels and buttons, top to bottom.
    var texts: [String] { Self.texts(in: controller.view) }

    static func texts(in view: UIView?) -> [String] {
        guard let view, !view.isHidden else { return [] }
        let own: String? =
            (view as? UILabel)?.text ?? (view as? UIButton)?.title(for: .normal)
        return [own].compactMap { $0 } + view.subviews.flatMap { texts(in: $0) }
    }

    func type(_ text: String) {
        guard let capture = controller.contentView as? CaptureView else { return }
        capture.field.text = text
        capture.field.sendActions(for: .editingChanged)
    }

    func tap(_ title: String) {
        Self.button(title, in: controller.view)?.sendActions(for: .touchUpInside)
    }

    static func button(_ title: String, in view: UIView?) -> UIButton? {
        guard let view, !view.isHidden else { return nil }
        if let button = view as? UIButton, button.title(for: .normal) == title { return button }
        return view.subviews.lazy.compactMap { self.button(title, in: $0) }.first
    }

    /// Turns the cards of a match game until all pairs are found.
    func solveMatchGame() -> Int {
        guard let game = controller.contentView as? MatchView else { return 0 }
        for first in game.buttons.indices {
            for second in game.buttons.indices where second > first {
                guard game.buttons[first].isEnabled, game.buttons[second].isEnabled else {
                    continue
                }
                game.buttons[first].sendActions(for: .touchUpInside)
                game.buttons[second].sendActions(for: .touchUpInside)
            }
        }
        return game.buttons.filter { !$0.isEnabled }.count
    }

    func respond(to action: String) async -> String {
        let response = UNNotificationResponse(
            shimNotification: notification("noroshi_capture", [:]),
            actionIdentifier: action
        )
        return await withCheckedContinuation { continuation in
            controller.didReceive(response) { continuation.resume(returning: "\($0)") }
        }
    }
}

@MainActor
final class MessageScreen {
    let host = UIViewController()
    private(set) var ui: NoroshiInAppMessageUI?

    /// Whether the app has a window yet.
    var hasWindow = true

    func presenter(
        transport: any NoroshiTransport = URLSessionTransport()
    ) -> NoroshiInAppMessageUI {
        let ui = NoroshiInAppMessageUI(
            host: { [weak self] in self?.hasWindow == true ? self?.host : nil },
            transport: transport
        )
        self.ui = ui
        return ui
    }

    /// The app shows a screen of its own over its first one.
    func presentOwnScreen() {
        host.present(UIViewController(), animated: true)
    }

    /// The controller on top of all.
    private var shown: UIViewController? {
        var top = host.presentedViewController
        while let next = top?.presentedViewController { top = next }
        return top
    }

    var isShowing: Bool { host.presentedViewController != nil }

    /// How many pictures are to be seen.
    var pictures: Int { Self.pictures(in: shown?.view) }

    private static func pictures(in view: UIView?) -> Int {
        guard let view else { return 0 }
        return (view is UIImageView ? 1 : 0) + view.subviews.map { pictures(in: $0) }.reduce(0, +)
    }

    private var html: NoroshiInAppMessageHTMLViewController? {
        let controller =
            shown as? NoroshiInAppMessageHTMLViewController
        _ = controller?.view
        return controller
    }

    /// The page of an HTML message.
    var page: String? { html?.webView?.shimPage }

    func post(_ text: String) {
        html?.webView?.shimPost(text, to: NoroshiInAppMessageContext.bridgeHandlerName)
    }

    func follow(_ address: String) -> Bool? {
        URL(string: address).flatMap { html?.webView?.shimFollow($0) }
    }

    var texts: [String] { ContentScreen.texts(in: shown?.view) }

    func tap(_ title: String) {
        ContentScreen.button(title, in: shown?.view)?
            .sendActions(for: .touchUpInside)
    }
}
