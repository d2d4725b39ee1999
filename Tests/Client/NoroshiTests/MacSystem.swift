import AppKit
import ClientTesting
import Foundation
@_spi(Testing) import Noroshi
import UserNotifications

// A file that imports Testing may not import AppKit on Linux.

/// An app on a Mac.
@MainActor
final class MacSystem {
    private let application: NSApplication
    private let center = UNUserNotificationCenter(shimName: "mac")
    let noroshi: Noroshi

    init(folder: URL, transport: any NoroshiTransport, register: @escaping @Sendable () -> Void) {
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        let application = NSApplication(shimRegister: register)
        center.shimSetPrompt { _ in true }
        // Called from any thread, as Apple's; what it holds is behind a lock, only not marked so.
        nonisolated(unsafe) let center = center
        self.application = application
        noroshi = Noroshi(
            configuration: configuration,
            dependencies: Noroshi.Dependencies(transport: transport),
            platform: .appKit(
                application: { application },
                observed: application,
                center: { center }
            )
        )
    }

    func setActive(_ isActive: Bool) { application.shimSetActive(isActive) }

    var badge: String? { application.dockTile.badgeLabel }
}
