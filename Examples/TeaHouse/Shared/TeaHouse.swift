import Foundation
import NoroshiExtensions

/// What the app and its two extensions have in common. The SDK key, the server and the App Group are
/// build settings in `TeaHouse.xcconfig`, which Info.plist hands on, so that they stand in one place.
enum TeaHouse {
    static let configuration: NoroshiConfiguration = {
        var configuration = NoroshiConfiguration(
            apiKey: setting("NoroshiKey"),
            endpoint: setting("NoroshiServer")
        )
        // Without the App Group, what extensions record would never reach the app's user.
        configuration.push.appGroup = setting("NoroshiAppGroup")
        configuration.push.linkHandling = .handler
        configuration.logger.level = .info
        return configuration
    }()

    private static func setting(_ name: String) -> String {
        Bundle.main.object(forInfoDictionaryKey: name) as? String ?? ""
    }
}
