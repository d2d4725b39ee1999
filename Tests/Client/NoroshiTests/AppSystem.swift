import ClientTesting
import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import SafariServices
import UIKit
import UserNotifications

// A file that imports Testing may not import UIKit on Linux.

/// An app on a system that counts background tasks, as iOS does.
@MainActor
final class AppSystem {
    private let application = UIApplication(shimRegister: nil, shimOpen: nil)
    private let folder: URL
    private let transport: any NoroshiTransport
    private let sleep: (@Sendable (TimeInterval) async throws -> Void)?

    private static let isMain: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    init(
        folder: URL,
        transport: any NoroshiTransport,
        sleep: (@Sendable (TimeInterval) async throws -> Void)? = nil
    ) {
        self.folder = folder
        self.transport = transport
        self.sleep = sleep
    }

    func launch(_ change: (inout Noroshi.Configuration) -> Void = { _ in }) -> Noroshi {
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder
        configuration.logger.level = .disabled
        configuration.api.flushInterval = 3600
        change(&configuration)
        var dependencies = Noroshi.Dependencies(transport: transport)
        if let sleep { dependencies.sleep = sleep }
        let application = application
        return Noroshi(
            configuration: configuration,
            dependencies: dependencies,
            platform: .apple(
                application: { application },
                observed: application,
                center: { UNUserNotificationCenter(shimName: "app") }
            )
        )
    }

    /// The app shows a screen, and one of its own above it.
    func showScreen() {
        let scene = UIWindowScene(shimSize: CGSize(width: 393, height: 852))
        let window = UIWindow(windowScene: scene)
        window.rootViewController = root
        window.makeKeyAndVisible()
        application.shimScenes = [scene]
        root.present(upper, animated: false)
    }

    private let root = UIViewController()
    private let upper = UIViewController()

    /// The page that is shown over everything else.
    var page: String? {
        (upper.presentedViewController as? SFSafariViewController)?.shimURL.absoluteString
    }

    func becomeActive() { application.shimMove(to: .active) }
    func enterBackground() { application.shimMove(to: .background) }
    func expireBackgroundTasks() { application.shimExpireBackgroundTasks() }

    /// Whether the system stops the app's threads now.
    var isSuspended: Bool { application.shimIsSuspended }

    /// Wakes the app with a silent push; the answer is the result with the thread it came on.
    func wake(_ noroshi: Noroshi, _ answer: @escaping @Sendable (String, Bool) -> Void) {
        let userInfo: [AnyHashable: Any] = [
            "noroshi": ["dispatch_id": UUID().uuidString], "aps": ["content-available": 1],
        ]
        noroshi.notifications.handleBackgroundNotification(userInfo: userInfo) { result in
            answer("\(result)", DispatchQueue.getSpecific(key: Self.isMain) == true)
        }
    }
}
