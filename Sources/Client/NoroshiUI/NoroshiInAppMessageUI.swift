#if canImport(UIKit)
import Foundation
import Noroshi
import UIKit

/// Shows in-app messages with UIKit: set it as the SDK's presenter and keep it.
///
/// ```swift
/// let ui = NoroshiInAppMessageUI(host: { window.rootViewController })
/// ui.customController = { context in
///     context.message.extras?["view_type"] == "picker" ? PickerController(context) : nil
/// }
/// noroshi.inAppMessages.presenter = ui
/// ```
/// HTML messages and pictures need a view of the app's own for now; without one they are closed
/// and counted as not shown.
@MainActor
public final class NoroshiInAppMessageUI: NoroshiInAppMessagePresenter {
    /// A controller of the app's own for a message; `nil` takes the SDK's.
    public var customController: (NoroshiInAppMessageContext) -> UIViewController? = { _ in nil }

    private let host: () -> UIViewController?
    private weak var shown: UIViewController?

    /// A presenter over the controller that `host` names at the time of showing.
    public init(host: @escaping () -> UIViewController?) {
        self.host = host
    }

    public func present(_ context: NoroshiInAppMessageContext) {
        let controller = customController(context) ?? builtIn(for: context)
        guard let controller, let host = host() else {
            context.close()
            return
        }
        shown = controller
        host.present(controller, animated: true) { context.logImpression() }
    }

    public func dismiss() {
        shown?.dismiss(animated: true, completion: nil)
    }

    private func builtIn(for context: NoroshiInAppMessageContext) -> UIViewController? {
        switch context.message.kind {
        case .slideup, .modal, .full: NoroshiInAppMessageController(context)
        case .modalImage, .fullImage, .html, .control: nil
        }
    }
}
#endif
