#if canImport(UIKit) && canImport(WebKit)
import Foundation
import Noroshi
import UIKit
import WebKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The web view that draws a message, and the handler of its events. It holds its controller
/// weakly, because the web view retains this object.
@MainActor
final class MessageDrawing: NSObject, WKScriptMessageHandler, WKNavigationDelegate {
    let webView: WKWebView
    private weak var controller: NoroshiInAppMessageViewController?

    /// A transparent web view whose page posts to the handlers `names`.
    init(
        _ controller: NoroshiInAppMessageViewController,
        handlers names: [String],
        script: String? = nil
    ) {
        let configuration = WKWebViewConfiguration()
        if let script {
            configuration.userContentController.addUserScript(
                WKUserScript(
                    source: script,
                    injectionTime: .atDocumentStart,
                    forMainFrameOnly: true
                )
            )
        }
        webView = WKWebView(frame: .zero, configuration: configuration)
        self.controller = controller
        super.init()
        for name in names { configuration.userContentController.add(self, name: name) }
        webView.navigationDelegate = self
        // The app shows through wherever the page is empty.
        webView.isOpaque = false
        webView.backgroundColor = .clear
        // The page handles the safe areas and scrolling itself.
        webView.scrollView.contentInsetAdjustmentBehavior = .never
        webView.scrollView.isScrollEnabled = controller.inAppMessage is NoroshiInAppMessageHTML
        webView.translatesAutoresizingMaskIntoConstraints = false
    }

    func load(_ page: String) {
        webView.loadHTMLString(page, baseURL: nil)
    }

    func userContentController(
        _ userContentController: WKUserContentController,
        didReceive message: WKScriptMessage
    ) {
        guard let text = message.body as? String else { return }
        controller?.received(text, from: message.name)
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

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
        controller?.pageIsRead()
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        controller?.close()
    }
}
#endif
