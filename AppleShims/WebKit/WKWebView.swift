import Foundation
import UIKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A web view that keeps its page and draws nothing.
/// <https://developer.apple.com/documentation/webkit/wkwebview>
@MainActor
open class WKWebView: UIView {
    open weak var navigationDelegate: (any WKNavigationDelegate)?
    public let configuration: WKWebViewConfiguration
    /// <https://developer.apple.com/documentation/webkit/wkwebview/scrollview>
    public let scrollView = UIScrollView(frame: .zero)
    /// The page that was loaded last.
    public private(set) var shimPage: String?

    public init(frame: CGRect, configuration: WKWebViewConfiguration) {
        self.configuration = configuration
        super.init(frame: frame)
    }

    public required init?(coder: NSCoder) {
        nil
    }

    /// <https://developer.apple.com/documentation/webkit/wkwebview/loadhtmlstring(_:baseurl:)>
    @discardableResult
    open func loadHTMLString(_ string: String, baseURL: URL?) -> WKNavigation? {
        shimPage = string
        return nil
    }

    /// Finishes loading the page.
    public func shimFinish() {
        navigationDelegate?.webView(self, didFinish: nil)
    }

    /// Ends the process that draws the page, as when memory is short.
    public func shimTerminate() {
        navigationDelegate?.webViewWebContentProcessDidTerminate(self)
    }

    /// Posts `body` to the handler `name`, as the page's script does.
    public func shimPost(_ body: Any, to name: String) {
        configuration.userContentController.shimHandlers[name]?.userContentController(
            configuration.userContentController,
            didReceive: WKScriptMessage(shimName: name, body: body)
        )
    }

    /// Follows a link to `url` as the user does; returns whether the page navigates there.
    public func shimFollow(_ url: URL) -> Bool {
        var policy = WKNavigationActionPolicy.allow
        navigationDelegate?.webView(
            self,
            decidePolicyFor: WKNavigationAction(shimRequest: URLRequest(url: url)),
            decisionHandler: { policy = $0 }
        )
        return policy == .allow
    }
}

/// <https://developer.apple.com/documentation/webkit/wknavigation>
@MainActor
open class WKNavigation: NSObject {}

/// <https://developer.apple.com/documentation/webkit/wkwebviewconfiguration>
@MainActor
open class WKWebViewConfiguration: NSObject {
    open var userContentController = WKUserContentController()

    public override nonisolated init() {
        super.init()
    }
}

/// <https://developer.apple.com/documentation/webkit/wkusercontentcontroller>
@MainActor
open class WKUserContentController: NSObject {
    public private(set) var userScripts: [WKUserScript] = []
    /// The handlers by name.
    public private(set) var shimHandlers: [String: any WKScriptMessageHandler] = [:]

    public override nonisolated init() {
        super.init()
    }

    open func addUserScript(_ userScript: WKUserScript) {
        userScripts.append(userScript)
    }

    open func add(_ scriptMessageHandler: any WKScriptMessageHandler, name: String) {
        shimHandlers[name] = scriptMessageHandler
    }
}

/// <https://developer.apple.com/documentation/webkit/wkuserscriptinjectiontime>
public enum WKUserScriptInjectionTime: Int, Sendable {
    case atDocumentStart = 0
    case atDocumentEnd = 1
}

/// <https://developer.apple.com/documentation/webkit/wkuserscript>
@MainActor
open class WKUserScript: NSObject {
    public let source: String

    public init(
        source: String,
        injectionTime: WKUserScriptInjectionTime,
        forMainFrameOnly: Bool
    ) {
        self.source = source
        super.init()
    }
}

/// <https://developer.apple.com/documentation/webkit/wkscriptmessage>
@MainActor
open class WKScriptMessage: NSObject {
    public let name: String
    public let body: Any

    public init(shimName name: String, body: Any) {
        self.name = name
        self.body = body
        super.init()
    }
}

/// <https://developer.apple.com/documentation/webkit/wkscriptmessagehandler>
@MainActor
public protocol WKScriptMessageHandler: NSObjectProtocol {
    func userContentController(
        _ userContentController: WKUserContentController,
        didReceive message: WKScriptMessage
    )
}

/// <https://developer.apple.com/documentation/webkit/wknavigationactionpolicy>
public enum WKNavigationActionPolicy: Int, Sendable {
    case cancel = 0
    case allow = 1
}

/// <https://developer.apple.com/documentation/webkit/wknavigationtype>
public enum WKNavigationType: Int, Sendable {
    case linkActivated = 0
    case other = -1
}

/// <https://developer.apple.com/documentation/webkit/wknavigationaction>
@MainActor
open class WKNavigationAction: NSObject {
    public let request: URLRequest
    public let navigationType = WKNavigationType.linkActivated

    public init(shimRequest request: URLRequest) {
        self.request = request
        super.init()
    }
}

/// <https://developer.apple.com/documentation/webkit/wknavigationdelegate>
@MainActor
public protocol WKNavigationDelegate: NSObjectProtocol {
    func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    )

    /// <https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:didfinish:)>
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)

    /// <https://developer.apple.com/documentation/webkit/wknavigationdelegate/webviewwebcontentprocessdidterminate(_:)>
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

/// In Apple's protocol these methods are optional.
extension WKNavigationDelegate {
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {}

    public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {}
}
