import Foundation
import Noroshi

/// An object of the app's screen takes part in what the SDK does.
@MainActor
final class Coordinator: NoroshiDelegate, NoroshiSDKAuthDelegate {
    private var opened: [URL] = []

    func noroshi(_ noroshi: Noroshi, shouldOpenURL context: NoroshiURLContext) -> Bool {
        opened.append(context.url)
        return false
    }

    func noroshi(
        _ noroshi: Noroshi,
        sdkAuthenticationFailedWithError error: NoroshiSDKAuthenticationError
    ) {}
}
