import NoroshiContent
import NoroshiExtensions

/// Draws what an expanded notification shows; its category chooses the pattern.
final class NotificationViewController: NoroshiContentViewController {
    override var configuration: NoroshiConfiguration? { TeaHouse.configuration }
}
