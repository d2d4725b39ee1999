import ClientTesting
import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import SwiftUI
import UIKit
import WebKit

@_spi(Testing) @testable import NoroshiUI

// What the tests do with SwiftUI; a file that imports Testing may not import UIKit on Linux.

/// An app whose first view has the SDK's modifiers.
@MainActor
final class SwiftUIApp {
    private let screen = ShimScreen()
    private let scene = UIWindowScene(shimSize: CGSize(width: 393, height: 852))
    private let window: UIWindow
    private(set) var links: [String] = []
    /// The keys of messages that the app shows as views of its own.
    var own: Set<String> = []

    init() {
        window = UIWindow(windowScene: scene)
        window.rootViewController = UIViewController()
        window.isHidden = false
        UIApplication.shared.shimScenes = [scene]
    }

    /// The first view is on the screen, or is made again there.
    func show(_ noroshi: Noroshi?) {
        screen.show(
            ShimDrawing()
                .noroshiInAppMessages(noroshi) { [weak self] context in
                    self?.own.contains(context.message.id) == true
                        ? OwnMessage(context: context) : nil
                }
                .onNoroshiLink(noroshi) { [weak self] link in
                    self?.links.append(link.url.absoluteString)
                }
        )
    }

    /// Another view takes the place of the first one.
    func leave() { screen.clear() }

    private var stage: UIWindow? {
        scene.shimWindows.last { !$0.isHidden && $0.windowLevel == .alert }
    }

    private var controller: NoroshiInAppMessageViewController? {
        (stage as? MessageWindow)?.message
    }

    /// The text of the message that the SDK draws.
    var message: String? { controller?.inAppMessage.message }

    /// The view of the app's own that is on the screen as a message.
    private var ownMessage: OwnMessage? {
        (stage?.rootViewController?.presentedViewController as? UIHostingController<OwnMessage>)?
            .rootView
    }

    var ownText: String? { ownMessage?.context.message.message }

    func tapOwn() { ownMessage?.context.processClick() }

    func finishDrawing() {
        controller?.drawing?.webView.shimPost(
            #"{"kind":"shown"}"#,
            to: MessagePage.handlerName
        )
    }
}

private struct OwnMessage: View {
    let context: NoroshiInAppMessageContext

    var body: some View { ShimDrawing() }
}
