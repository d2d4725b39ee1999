#if canImport(UIKit) && canImport(WebKit)
import Foundation
import UIKit

/// A window above the app for one message, so that nothing the app presents is in its way and the
/// other way round. What the message leaves free belongs to the app.
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

    /// Presents a controller of the app's own.
    func present(_ controller: UIViewController, completion: @escaping () -> Void) {
        window?.isHidden = false
        root.present(controller, animated: true, completion: completion)
    }

    /// Takes one of the SDK's controllers away.
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
        // It takes no more touches while it leaves.
        window?.message = nil
        UIView.animate(withDuration: 0.15, animations: { view.alpha = 0 }) { _ in finish() }
    }

    /// Gives the screen back to the app.
    func clear() {
        window?.isHidden = true
        window?.rootViewController = nil
        window = nil
    }
}

/// The window of a message.
final class MessageWindow: UIWindow {
    /// The message on it; `nil` for a controller of the app's own.
    weak var message: NoroshiInAppMessageViewController?

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let hit = super.hitTest(point, with: event)
        if hit === self || hit === rootViewController?.viewIfLoaded { return nil }
        // Beside its strip a slideup is glass.
        if let message, message is NoroshiInAppMessageSlideupViewController,
            hit === message.viewIfLoaded
        {
            return nil
        }
        return hit
    }
}

/// What the window begins with: glass, held as the message on it says.
private final class StageController: UIViewController {
    weak var message: UIViewController?

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        message?.supportedInterfaceOrientations ?? super.supportedInterfaceOrientations
    }
}
#endif
