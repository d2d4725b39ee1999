import Foundation

/// What is counted.
package enum CountSeries: Sendable, Hashable {
    /// The app's own events of a name, or the system's, such as `$session_start`.
    case events(String)
    /// Pieces of a product that were bought, or of any.
    case quantity(product: String?)
    /// What was paid for a product, or for any, in a currency.
    case revenue(product: String?, currency: String)

    package static let sessions = CountSeries.events("$session_start")
    package static let uninstalls = CountSeries.events(Uninstall.eventName)
}
