@_spi(Testing) import NoroshiExtensions
@_spi(Testing) import NoroshiOutbox
import UserNotifications

/// The demo app's notification service extension.
final class DemoNotificationService: NoroshiNotificationService {
    private let chosenConfiguration: NoroshiConfiguration
    private let chosenDependencies: NoroshiDependencies

    init(configuration: NoroshiConfiguration, dependencies: NoroshiDependencies) {
        chosenConfiguration = configuration
        chosenDependencies = dependencies
        super.init()
    }

    override var configuration: NoroshiConfiguration? { chosenConfiguration }
    override var dependencies: NoroshiDependencies { chosenDependencies }
}
