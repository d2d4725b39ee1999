#if canImport(UIKit)
import Foundation
import Noroshi
import NoroshiOutbox
import UIKit

/// Chooses the controllers that draw messages.
@MainActor
public protocol NoroshiInAppMessageUIDelegate: AnyObject {
    /// The controller for `inAppMessage`: one of the SDK's, a subclass, or the app's own.
    func inAppMessageViewControllerWith(
        _ inAppMessage: NoroshiInAppMessage
    ) -> NoroshiInAppMessageViewController
}

/// Shows in-app messages with UIKit: set it as the SDK's presenter and keep it.
///
/// ```swift
/// let ui = NoroshiInAppMessageUI(host: { window.rootViewController })
/// ui.customController = { context in
///     context.message.extras?["view_type"] == "picker" ? PickerController(context) : nil
/// }
/// noroshi.inAppMessages.presenter = ui
/// ```
/// Pictures are loaded before a message is shown (5 MB at most, 10 seconds). A message that is a
/// picture is discarded when it cannot be loaded; one with a text is shown without it. While there
/// is no host, or UIKit refuses, a message waits without being counted.
@MainActor
public final class NoroshiInAppMessageUI: NoroshiInAppMessagePresenter {
    /// Chooses the controllers; not retained.
    public weak var delegate: (any NoroshiInAppMessageUIDelegate)?

    /// A controller of the app's own for a message; `nil` takes the delegate's or the SDK's.
    public var customController: (NoroshiInAppMessageContext) -> UIViewController? = { _ in nil }

    /// The most bytes a picture may have.
    static let imageLimit = 5_000_000

    private let host: () -> UIViewController?
    private let transport: any NoroshiTransport
    private weak var shown: UIViewController?

    /// A presenter over the controller that `host` names at the time of showing. Pictures come
    /// through `transport`.
    public init(
        host: @escaping () -> UIViewController?,
        transport: any NoroshiTransport = URLSessionTransport()
    ) {
        self.host = host
        self.transport = transport
    }

    /// Shows the message of `context`, after its picture has been loaded.
    public func present(_ context: NoroshiInAppMessageContext) {
        if let controller = customController(context) {
            show(controller, for: context)
            return
        }
        let message = NoroshiInAppMessage.of(context)
        let controller =
            delegate?.inAppMessageViewControllerWith(message) ?? Self.builtIn(for: message)
        guard let url = message.imageURI else {
            show(controller, for: context)
            return
        }
        Task {
            controller.image = await image(at: url)
            if controller.image == nil,
                (message as? NoroshiInAppMessageImmersive)?.isImageOnly == true
            {
                context.close()
                return
            }
            show(controller, for: context)
        }
    }

    /// Takes away what is shown.
    public func dismiss() {
        shown?.dismiss(animated: true, completion: nil)
    }

    /// The SDK's controller for `message`.
    public static func builtIn(
        for message: NoroshiInAppMessage
    ) -> NoroshiInAppMessageViewController {
        switch message {
        case is NoroshiInAppMessageSlideup:
            NoroshiInAppMessageSlideupViewController(inAppMessage: message)
        case is NoroshiInAppMessageModal:
            NoroshiInAppMessageModalViewController(inAppMessage: message)
        case is NoroshiInAppMessageFull:
            NoroshiInAppMessageFullViewController(inAppMessage: message)
        case is NoroshiInAppMessageHTML:
            NoroshiInAppMessageHTMLViewController(inAppMessage: message)
        default:
            NoroshiInAppMessageViewController(inAppMessage: message)
        }
    }

    private func show(_ controller: UIViewController, for context: NoroshiInAppMessageContext) {
        // The user may have changed while the picture was loading.
        guard !context.isClosed else { return }
        guard let host = topmost() else {
            context.postpone()
            return
        }
        host.present(controller, animated: true) { context.logImpression() }
        // UIKit refuses without a word, as where the host is not in a window.
        guard controller.presentingViewController != nil else {
            context.postpone()
            return
        }
        shown = controller
    }

    /// What the host shows on top of all: a controller that presents already presents nothing more.
    private func topmost() -> UIViewController? {
        var top = host()
        while let next = top?.presentedViewController, !next.isBeingDismissed { top = next }
        return top
    }

    private func image(at url: URL) async -> UIImage? {
        // Without its picture the message is shown or discarded as its kind demands.
        guard
            let answer = try? await transport.send(
                NoroshiRequest(method: "GET", url: url, timeout: 10)
            ),
            answer.status == 200, answer.body.count <= Self.imageLimit
        else { return nil }
        return UIImage(data: answer.body)
    }
}
#endif
