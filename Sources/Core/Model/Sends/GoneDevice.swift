/// The providers' reasons that say no more than that an app was removed or a browser's subscription has
/// ended. They belong to every large send, and are no fault of it.
package enum GoneDevice {
    /// APNs' words, FCM's and that of Apple's Web Push.
    package static let reasons: Set = [
        "Unregistered", "ExpiredToken", "UNREGISTERED", "Unsubscribed",
    ]
    /// How a reason begins where a browser's push service has no word for it (RFC 8030, 7.3).
    package static let beginnings = ["HTTP 404", "HTTP 410"]

    package static func isSaid(by reason: String) -> Bool {
        reasons.contains(reason) || beginnings.contains { reason.hasPrefix($0) }
    }
}
