import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import UserNotifications

/// Starts the app on the phone with its surroundings.
extension VirtualPhone {
    var configuration: NoroshiConfiguration {
        var configuration = NoroshiConfiguration(
            apiKey: settings.apiKey,
            endpoint: settings.endpoint
        )
        configuration.storage.directory = settings.container
        configuration.api.flushInterval = settings.flushInterval
        configuration.push.usesSandbox = true
        configuration.push.linkHandling = .handler
        configuration.logger = NoroshiLogger(level: .info) { [weak self] message, level in
            Task { await self?.appLogged("SDK \(level): \(message)") }
        }
        return configuration
    }

    var dependencies: NoroshiDependencies {
        var dependencies = NoroshiDependencies(
            now: now,
            transport: radio,
            device: NoroshiDevice(
                platform: "ios",
                model: "VirtualPhone1,1",
                osVersion: "18.0",
                appVersion: "1.0",
                locale: state.language,
                timeZone: settings.timeZone
            )
        )
        if let sleep = settings.sleep { dependencies.sleep = sleep }
        return dependencies
    }
}

extension UNAuthorizationStatus {
    /// The name in the phone's state.
    var name: String {
        switch self {
        case .notDetermined: "notDetermined"
        case .denied: "denied"
        case .authorized: "authorized"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        }
    }
}
