import Foundation

/// The subject of a count.
package enum CountSeries: Sendable, Hashable {
    /// The app's own events with a name, or the system's, such as `$session_start`.
    case events(String)
    /// Number of purchased pieces of a product, or of all products if `nil`.
    case quantity(product: String?)
    /// Revenue from a product, or from all products if `nil`, in a currency.
    case revenue(product: String?, currency: String)

    package static let sessions = CountSeries.events("$session_start")
    package static let uninstalls = CountSeries.events(Uninstall.eventName)
}
