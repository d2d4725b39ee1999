import PushHTTP

/// The addresses of Google's servers (or their simulator), and the style of messages on Android.
package struct FCMConfiguration: Sendable {
    /// How a message is delivered to an Android app.
    package enum Style: String, Sendable, Hashable, Codable, CaseIterable {
        /// The system shows it while the app is in the background.
        case notification
        /// The whole message is in `data`, and the app shows it.
        case dataOnly = "data"
    }

    package var server: PushHTTPEndpoint
    /// The server of access tokens; `nil` for the address in the service account, which must then
    /// be Google's.
    package var tokenServer: PushHTTPEndpoint?
    package var style: Style
    /// The Android notification channel; nil for the app's default.
    package var channelID: String?
    package var limits: PushHTTPLimits
    /// Messages per second once the ramp is over: Google's quota is 600,000 a minute.
    package var fullRate: Double
    /// Google asks senders to go from nothing to full over a minute.
    package var rampTime: Duration

    package init(
        server: PushHTTPEndpoint = PushHTTPEndpoint(host: "fcm.googleapis.com"),
        tokenServer: PushHTTPEndpoint? = nil,
        style: Style = .notification,
        channelID: String? = nil,
        limits: PushHTTPLimits = PushHTTPLimits(),
        fullRate: Double = 10_000,
        rampTime: Duration = .seconds(60)
    ) {
        self.server = server
        self.tokenServer = tokenServer
        self.style = style
        self.channelID = channelID
        self.limits = limits
        self.fullRate = fullRate
        self.rampTime = rampTime
    }
}
