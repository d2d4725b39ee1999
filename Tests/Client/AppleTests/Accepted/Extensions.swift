// extension
import NoroshiContent
import NoroshiExtensions
import UIKit

final class NotificationService: NoroshiNotificationService {
    override var configuration: NoroshiConfiguration? {
        NoroshiConfiguration(apiKey: "key", endpoint: "push.example.com")
    }
}

final class NotificationScreen: NoroshiContentViewController {
    override var configuration: NoroshiConfiguration? {
        NoroshiConfiguration(apiKey: "key", endpoint: "push.example.com")
    }
}
