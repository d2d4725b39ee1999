import ClientTesting
import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import UIKit
import UserNotifications
import UserNotificationsUI
import WebKit

@_spi(Testing) @testable import NoroshiContent
@_spi(Testing) @testable import NoroshiUI

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

    init(
        folder: URL,
        transport: any NoroshiTransport,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void = Self.pass
    ) {
        var configuration = NoroshiConfiguration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder
        configuration.logger.level = .disabled
        controller.chosenConfiguration = configuration
        controller.chosenDependencies = NoroshiDependencies(
            sleep: sleep,
            transport: transport
        )
        controller.shimExtensionContext = NSExtensionContext()
    }

    /// Waits for nothing, except that an upload is given all the time it takes: whether it or its limit
    /// came first would be a matter of chance.
    static func pass(_ seconds: TimeInterval) async throws {
        let uploadLimit: TimeInterval = 5
        guard seconds == uploadLimit else { return await Task.yield() }
        try await Task.sleep(nanoseconds: .max)
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

    /// Shows a push story with a picture on its second page.
    func showStory(_ dispatch: UUID, picture: URL) {
        let content = UNMutableNotificationContent()
        content.title = "Teas"
        content.userInfo = [
            "aps": ["category": "noroshi_story"], "push_no": "7",
            "noroshi": [
                "dispatch_id": dispatch.uuidString,
                "story": [
                    ["image": "https://example.com/1.png", "title": "Sencha"],
                    [
                        "image": "https://example.com/2.png", "title": "Hojicha",
                        "subtitle": "Roasted",
                    ],
                    ["image": "https://example.com/3.png", "uri": "tea://3"],
                ],
            ] as [String: Any],
        ]
        let attachment = try? UNNotificationAttachment(
            identifier: "noroshi_story_2",
            url: picture,
            options: nil
        )
        content.attachments = [attachment].compactMap { $0 }
        controller.didReceive(
            UNNotification(
                shimRequest: UNNotificationRequest(identifier: "n", content: content, trigger: nil),
                date: Date()
            )
        )
    }

    /// Turns VoiceOver on or off.
    func listens(_ isListening: Bool) { UIAccessibility.shimIsVoiceOverRunning = isListening }

    func wantsLessMotion(_ isWanted: Bool) { UIAccessibility.shimIsReduceMotionEnabled = isWanted }

    /// What VoiceOver was asked to say.
    var said: [String] { UIAccessibility.shimAnnouncements }

    private var dial: WheelDial? { (controller.contentView as? WheelView)?.dial }

    /// A sector of the drawn wheel.
    struct Sector {
        var start: Double
        var end: Double
        var radius: Double
        var color: [Double]
    }

    func wheelSectors(size: Double) -> [Sector] {
        guard let dial else { return [] }
        dial.frame = CGRect(x: 0, y: 0, width: size, height: size)
        dial.layoutSubviews()
        return ShimCanvas.sectors { dial.draw(dial.bounds) }.map {
            Sector(
                start: Double($0.start),
                end: Double($0.end),
                radius: Double($0.radius),
                color: $0.color.shimParts.map { Double($0) }
            )
        }
    }

    /// How far the wheel is turned, in radians.
    var wheelAngle: Double? { (dial?.transform.shimAngle).map { Double($0) } }

    /// How long it turns; `nil` while it does not.
    var wheelSeconds: Double? { dial?.layer.shimAnimations["turn"]?.duration }

    var cardLabels: [String] {
        (controller.contentView as? MatchView)?.buttons.map { $0.accessibilityLabel ?? "" } ?? []
    }

    private var story: StoryView? { controller.contentView as? StoryView }

    var hasStoryPicture: Bool { story?.imageView.isHidden == false }

    func tapPage() { story?.pageControl.sendActions(for: .touchUpInside) }

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

/// A phone with an app in front and what the SDK puts over it. Its pages are drawn by nobody, so the
/// tests say what they would say; Tests/Browser/message_test.py looks at the pages themselves.
@MainActor
final class MessageScreen {
    let host = UIViewController()
    private let scene = UIWindowScene(shimSize: CGSize(width: 393, height: 852))
    private let window: UIWindow
    private(set) var ui: NoroshiInAppMessageUI?

    /// Whether the app has a window yet.
    var hasWindow = true

    init() {
        window = UIWindow(windowScene: scene)
        window.rootViewController = host
        window.isHidden = false
    }

    func presenter(
        transport: any NoroshiTransport = URLSessionTransport(),
        wait: (@Sendable () async -> Void)? = nil
    ) -> NoroshiInAppMessageUI {
        let ui = NoroshiInAppMessageUI(
            host: { [weak self] in self?.hasWindow == true ? self?.host : nil },
            transport: transport
        )
        if let wait { ui.wait = wait }
        self.ui = ui
        return ui
    }

    /// The app shows a screen of its own over its first one.
    func presentOwnScreen() {
        host.present(UIViewController(), animated: true)
    }

    static var rendererSource: String { MessageRenderer.source }

    private var messageWindow: MessageWindow? {
        scene.shimWindows.lazy.compactMap { $0 as? MessageWindow }.last { !$0.isHidden }
    }

    private var controller: NoroshiInAppMessageViewController? { messageWindow?.message }

    private var webView: WKWebView? { controller?.drawing?.webView }

    var isShowing: Bool { messageWindow != nil }

    /// Whether a message needs another way of holding the device.
    var isPortraitOnly: Bool {
        messageWindow?.rootViewController?.supportedInterfaceOrientations == .portrait
    }

    /// What the page of the message would draw.
    var drawn: InAppMessage? {
        guard let page = webView?.shimPage,
            let start = page.range(of: "drawMessage({")?.upperBound,
            let end = page.range(of: "}, {\n", range: start..<page.endIndex)?.lowerBound
        else { return nil }
        let json = "{" + page[start..<end] + "}"
        return try? JSONDecoder().decode(InAppMessage.self, from: Data(json.utf8))
    }

    private func post(page json: String) {
        webView?.shimPost(json, to: MessagePage.handlerName)
    }

    func finishDrawing() { post(page: #"{"kind":"shown"}"#) }

    func tap(button: String? = nil) {
        post(page: button.map { #"{"kind":"click","button":"\#($0)"}"# } ?? #"{"kind":"click"}"#)
    }

    func tapCross() { post(page: #"{"kind":"dismiss"}"#) }

    func endPageProcess() { webView?.shimTerminate() }

    /// Whether a finger at this height of the screen reaches the message rather than the app.
    func reachesMessage(at height: CGFloat) -> Bool {
        guard let messageWindow, let controller, let view = controller.view else { return false }
        // What the constraints come to on a phone.
        view.frame = messageWindow.bounds
        webView?.frame =
            controller is NoroshiInAppMessageSlideupViewController
            ? CGRect(x: 10, y: 740, width: 373, height: 68) : view.bounds
        return messageWindow.hitTest(CGPoint(x: 200, y: height), with: nil) != nil
    }

    /// The app presents a controller of its own for every message.
    func bringOwnController() -> OwnMessage {
        let own = OwnMessage()
        ui?.customController = { _ in own.controller }
        return own
    }

    @MainActor
    struct OwnMessage {
        let controller = UIViewController()

        var isShown: Bool { controller.presentingViewController != nil }

        func dismiss() { controller.dismiss(animated: true) }
    }

    /// The page of an HTML message.
    var page: String? { webView?.shimPage }

    func finishPage() { webView?.shimFinish() }

    func post(_ text: String) {
        webView?.shimPost(text, to: NoroshiInAppMessageContext.bridgeHandlerName)
    }

    func follow(_ address: String) -> Bool? {
        URL(string: address).flatMap { webView?.shimFollow($0) }
    }
}
