/// The providers' reasons that say no more than that an app was removed or a browser's subscription has
/// ended. They belong to every large send, and are no fault of it.
package enum GoneDevice {
    /// APNs' words, FCM's and that of Apple's Web Push.
    package static let reasons: Set = [
        "Unregistered", "ExpiredToken", "UNREGISTERED", "Unsubscribed",
    ]
    /// How a reason begins where a push service has no word for it (RFC 8030, 7.3). A bare `HTTP 404` is
    /// none of them: from APNs and FCM it means that the address or the project is wrong.
    package static let beginnings = ["HTTP 410", webPushNotFound, "HTTP 404 (errno "]
    /// Web Push's 404 without a word.
    package static let webPushNotFound = "Gone (HTTP 404)"

    package static func isSaid(by reason: String) -> Bool {
        reasons.contains(reason) || beginnings.contains { reason.hasPrefix($0) }
    }
}
