import Noroshi
import UIKit

/// The app's window. A link that a push leads to waits in the SDK until there is a screen for it.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene,
            let app = UIApplication.shared.delegate as? AppDelegate
        else { return }
        let screen = ShopViewController(app.shop)
        let window = UIWindow(windowScene: scene)
        window.rootViewController = screen
        window.makeKeyAndVisible()
        self.window = window
        app.noroshi.notifications.setLinkHandler { [weak screen] link in screen?.open(link.url) }
    }
}
