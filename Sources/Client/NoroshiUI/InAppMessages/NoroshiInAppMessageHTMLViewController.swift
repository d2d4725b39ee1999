#if canImport(UIKit) && canImport(WebKit)
import Foundation
import Noroshi
import UIKit
import WebKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Draws a message that is a page of HTML, with the bridge to the SDK (`window.noroshiBridge`). A
/// link of the page leads where a link of any other message does; the page itself never leaves.
open class NoroshiInAppMessageHTMLViewController: NoroshiInAppMessageViewController {
    private(set) var webView: WKWebView?

    /// Puts the views together.
    open override func viewDidLoad() {
        super.viewDidLoad()
        guard drawsMessage, let view else { return }
        let configuration = WKWebViewConfiguration()
        let scripts = configuration.userContentController
        scripts.addUserScript(
            WKUserScript(
                source: NoroshiInAppMessageContext.bridgeScript,
                injectionTime: .atDocumentStart,
                forMainFrameOnly: true
            )
        )
        let receiver = PageReceiver(self)
        scripts.add(receiver, name: NoroshiInAppMessageContext.bridgeHandlerName)
        let page = WKWebView(frame: .zero, configuration: configuration)
        page.navigationDelegate = receiver
        // What the page leaves free shows the app below.
        page.isOpaque = false
        page.backgroundColor = .clear
        self.receiver = receiver
        webView = page
        page.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(page)
        NSLayoutConstraint.activate([
            page.topAnchor.constraint(equalTo: view.topAnchor),
            page.bottomAnchor.constraint(equalTo: view.bottomAnchor),
            page.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            page.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        ])
        page.loadHTMLString(inAppMessage.message, baseURL: nil)
    }

    // The web view holds its delegate weakly.
    private var receiver: PageReceiver?

    func received(_ text: String) {
        if context.handleBridgeMessage(text) { dismissByUser() }
    }

    /// Whether the page may go to `url`, which it may not: links belong to the app.
    func mayNavigate(to url: URL?, isLink: Bool) -> Bool {
        guard isLink, let url else { return true }
        let context = context
        switch url.host {
        case "close" where ["noroshi", "braze", "appboy"].contains(url.scheme ?? ""):
            dismissByUser()
        default:
            dismiss(animated: true) { context.processLink(url) }
        }
        return false
    }
}

/// Hears of the page; holds its controller weakly, because the page holds this.
@MainActor
private final class PageReceiver: NSObject, WKScriptMessageHandler, WKNavigationDelegate {
    private weak var controller: NoroshiInAppMessageHTMLViewController?

    init(_ controller: NoroshiInAppMessageHTMLViewController) {
        self.controller = controller
    }

    func userContentController(
        _ userContentController: WKUserContentController,
        didReceive message: WKScriptMessage
    ) {
        guard let text = message.body as? String else { return }
        controller?.received(text)
    }

    func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        let mayNavigate =
            controller?.mayNavigate(
                to: navigationAction.request.url,
                isLink: navigationAction.navigationType == .linkActivated
            ) ?? false
        decisionHandler(mayNavigate ? .allow : .cancel)
    }
}
#endif
