#if canImport(UIKit) && canImport(WebKit)
import Foundation
import Noroshi
import NoroshiOutbox
import UIKit

/// Chooses the controllers that draw messages.
@MainActor
public protocol NoroshiInAppMessageUIDelegate: AnyObject {
    /// The controller for `inAppMessage`: one of the SDK's, a subclass, or a custom one.
    func inAppMessageViewControllerWith(
        _ inAppMessage: NoroshiInAppMessage
    ) -> NoroshiInAppMessageViewController
}

/// Shows in-app messages with UIKit: set it as the SDK's presenter and keep it.
///
/// ```swift
/// let ui = NoroshiInAppMessageUI()
/// ui.customController = { context in
///     context.message.extras?["view_type"] == "picker" ? PickerController(context) : nil
/// }
/// noroshi.inAppMessages.presenter = ui
/// ```
/// A message has its own window above the app's; touches outside of the message, such as beside the
/// strip of a slideup, go to the app. Pictures are loaded before a message is shown (5 MB at most,
/// 10 seconds). If its picture cannot be loaded, a message that consists of a picture is discarded;
/// one with a text is shown without it. While there is no screen a message waits without being
/// counted; one for another orientation, or one that is not drawn within 10 seconds, is skipped,
/// also without being counted.
@MainActor
public final class NoroshiInAppMessageUI: NoroshiInAppMessagePresenter {
    /// Chooses the controllers; not retained.
    public weak var delegate: (any NoroshiInAppMessageUIDelegate)?

    /// A custom controller for a message; `nil` uses the delegate's or the SDK's.
    public var customController: (NoroshiInAppMessageContext) -> UIViewController? = { _ in nil }

    /// Maximum size of a picture, in bytes.
    static let imageLimit = 5_000_000

    /// Maximum time until a message is visible, in seconds.
    static let patience: UInt64 = 10

    /// The place where a message is shown.
    private enum Place {
        /// In a separate window.
        case scene(UIWindowScene)
        /// Over a controller that is not in a window.
        case controller(UIViewController)
    }

    private let place: () -> Place?
    private let transport: any NoroshiTransport
    private weak var shown: UIViewController?
    private var stage: MessageStage?
    /// Waits for `patience`; replaced in tests.
    var wait: @Sendable () async -> Void = {
        // The wait is not cancelled.
        try? await Task.sleep(nanoseconds: patience * 1_000_000_000)
    }

    /// A presenter on the scene in the foreground.
    @available(iOSApplicationExtension, unavailable)
    public convenience init() {
        self.init(scene: {
            UIApplication.shared.connectedScenes.lazy.compactMap { $0 as? UIWindowScene }
                .first { $0.activationState == .foregroundActive }
        })
    }

    /// A presenter on the scene that `scene` returns at the time of showing.
    public convenience init(scene: @escaping () -> UIWindowScene?) {
        self.init(scene: scene, transport: URLSessionTransport())
    }

    /// A presenter on the scene of the controller that `host` returns at the time of showing. A
    /// host that is not in a window presents the messages itself.
    public convenience init(host: @escaping () -> UIViewController?) {
        self.init(host: host, transport: URLSessionTransport())
    }

    /// A presenter that loads pictures with the transport of a test.
    package init(scene: @escaping () -> UIWindowScene?, transport: any NoroshiTransport) {
        place = { scene().map(Place.scene) }
        self.transport = transport
    }

    /// A presenter that loads pictures with the transport of a test.
    package init(host: @escaping () -> UIViewController?, transport: any NoroshiTransport) {
        place = {
            guard let host = host() else { return nil }
            return host.viewIfLoaded?.window?.windowScene.map(Place.scene) ?? .controller(host)
        }
        self.transport = transport
    }

    /// Shows the message of `context` after loading its picture.
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
            let picture = await picture(at: url)
            controller.image = picture?.image
            controller.imageData = picture?.data
            if controller.image == nil,
                (message as? NoroshiInAppMessageImmersive)?.isImageOnly == true
            {
                context.close()
                return
            }
            show(controller, for: context)
        }
    }

    /// Removes the visible message.
    public func dismiss() {
        let stage = stage
        self.stage = nil
        shown?.dismiss(animated: true) { stage?.clear() }
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
        switch place() {
        case nil:
            context.postpone()
        case .scene(let scene):
            let screen = scene.coordinateSpace.bounds.size
            guard context.message.fits(width: screen.width, height: screen.height) else {
                context.close()
                return
            }
            let stage = MessageStage(on: scene)
            self.stage = stage
            shown = controller
            context.whenDone { [weak self] in self?.clear(stage) }
            if let controller = controller as? NoroshiInAppMessageViewController {
                stage.show(controller)
                giveUpLater(controller)
            } else {
                stage.present(controller) { context.logImpression() }
            }
        case .controller(let host):
            present(controller, over: host, for: context)
        }
    }

    private func present(
        _ controller: UIViewController,
        over host: UIViewController,
        for context: NoroshiInAppMessageContext
    ) {
        let isOurs = controller is NoroshiInAppMessageViewController
        topmost(host).present(controller, animated: true) {
            // The SDK's controllers report themselves when they are visible.
            if !isOurs { context.logImpression() }
        }
        // UIKit fails silently, for example if the host is not in a window.
        guard controller.presentingViewController != nil else {
            context.postpone()
            return
        }
        shown = controller
        if let controller = controller as? NoroshiInAppMessageViewController {
            giveUpLater(controller)
        }
    }

    /// Gives up a page that is never drawn, for example for lack of memory, so that it does not
    /// block others.
    private func giveUpLater(_ controller: NoroshiInAppMessageViewController) {
        let wait = wait
        Task { [weak controller] in
            await wait()
            if let controller, !controller.isSeen { controller.close() }
        }
    }

    private func clear(_ stage: MessageStage) {
        guard self.stage === stage else { return }
        self.stage = nil
        guard let shown, shown.presentingViewController != nil else {
            stage.clear()
            return
        }
        shown.dismiss(animated: true) { stage.clear() }
    }

    /// The topmost controller of the host, because a controller that already presents one cannot
    /// present another.
    private func topmost(_ host: UIViewController) -> UIViewController {
        var top = host
        while let next = top.presentedViewController, !next.isBeingDismissed { top = next }
        return top
    }

    private func picture(at url: URL) async -> (data: Data, image: UIImage)? {
        // Without its picture the message is shown or discarded, depending on its kind.
        guard
            let answer = try? await transport.send(
                NoroshiRequest(method: "GET", url: url, timeout: 10)
            ),
            answer.status == 200, answer.body.count <= Self.imageLimit,
            let image = UIImage(data: answer.body)
        else { return nil }
        return (answer.body, image)
    }
}
#endif
