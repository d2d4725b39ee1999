import NoroshiExtensions

/// Records that a push has arrived, and attaches its picture.
final class NotificationService: NoroshiNotificationService {
    override var configuration: NoroshiConfiguration? { TeaHouse.configuration }
}
