#if canImport(UIKit) && canImport(WebKit)
import Foundation
import UIKit

/// A window above the app for one message, so that the message and controllers presented by the app
/// do not interfere. Touches outside of the message go to the app.
@MainActor
final class MessageStage {
    private var window: MessageWindow?
    private let root = StageController()

    init(on scene: UIWindowScene) {
        let window = MessageWindow(windowScene: scene)
        window.windowLevel = .alert
        window.backgroundColor = .clear
        window.rootViewController = root
        self.window = window
    }

    /// Shows one of the SDK's controllers.
    func show(_ controller: NoroshiInAppMessageViewController) {
        guard let view = root.view, let own = controller.view else { return }
        controller.stage = self
        root.message = controller
        window?.message = controller
        root.addChild(controller)
        own.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(own)
        NSLayoutConstraint.activate([
            own.topAnchor.constraint(equalTo: view.topAnchor),
            own.bottomAnchor.constraint(equalTo: view.bottomAnchor),
            own.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            own.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        ])
        window?.isHidden = false
        controller.didMove(toParent: root)
    }

    /// Presents a controller of the app itself.
    func present(_ controller: UIViewController, completion: @escaping () -> Void) {
        window?.isHidden = false
        root.present(controller, animated: true, completion: completion)
    }

    /// Removes one of the SDK's controllers.
    func remove(
        _ controller: UIViewController,
        animated: Bool,
        completion: (() -> Void)?
    ) {
        let finish = { [self] in
            controller.willMove(toParent: nil)
            controller.viewIfLoaded?.removeFromSuperview()
            controller.removeFromParent()
            clear()
            completion?()
        }
        guard animated, let view = controller.viewIfLoaded else {
            finish()
            return
        }
        // The message receives no touches while it is being removed.
        window?.message = nil
        UIView.animate(withDuration: 0.15, animations: { view.alpha = 0 }) { _ in finish() }
    }

    /// Removes the window, so that the app has the screen again.
    func clear() {
        window?.isHidden = true
        window?.rootViewController = nil
        window = nil
    }
}

/// The window of a message.
final class MessageWindow: UIWindow {
    /// The visible message; `nil` for a controller of the app itself.
    weak var message: NoroshiInAppMessageViewController?

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let hit = super.hitTest(point, with: event)
        if hit === self || hit === rootViewController?.viewIfLoaded { return nil }
        // Touches beside the strip of a slideup pass through.
        if let message, message is NoroshiInAppMessageSlideupViewController,
            hit === message.viewIfLoaded
        {
            return nil
        }
        return hit
    }
}

/// The window's root controller: transparent, with the orientation of the message.
private final class StageController: UIViewController {
    weak var message: UIViewController?

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        message?.supportedInterfaceOrientations ?? super.supportedInterfaceOrientations
    }
}
#endif
