import CoreMetrics
import Model
import Monitoring
import Ports

/// What delivery tells the people who operate the server.
package struct DeliveryMetrics: Sendable {
    /// The reasons that are shown by their own name: codes of the providers and our own. A reason
    /// can be any text, such as a template's, and is then counted with the others.
    private static let reasons: Set<String> = [
        // Apple's.
        "BadCertificate", "BadCertificateEnvironment", "BadCollapseId", "BadDeviceToken",
        "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken", "BadExpirationDate",
        "BadMessageId", "BadPath", "BadPriority", "BadTopic", "DeviceTokenNotForTopic",
        "DuplicateHeaders", "ExpiredProviderToken", "ExpiredToken", "Forbidden", "IdleTimeout",
        "InternalServerError", "InvalidProviderToken", "InvalidPushType", "MethodNotAllowed",
        "MissingDeviceToken", "MissingProviderToken", "MissingTopic", "PayloadEmpty",
        "PayloadTooLarge", "ServiceUnavailable", "Shutdown", "TooManyProviderTokenUpdates",
        "TooManyRequests", "TopicDisallowed", "UnrelatedKeyIdInToken", "Unregistered",
        // Google's.
        "INTERNAL", "INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED", "QUOTA_EXCEEDED",
        "SENDER_ID_MISMATCH", "THIRD_PARTY_AUTH_ERROR", "UNAUTHENTICATED", "UNAVAILABLE",
        "UNREGISTERED", "UNSPECIFIED_ERROR",
        // The browsers'.
        "BadJwtToken", "Gone", "NotFound", "VapidPkHashMismatch",
        // Our own.
        "AnotherUser", "ConnectedContentUnavailable", "Expired", "LiquidError",
        "MissingCredentials", "NoMessageForPlatform", "NoPushToken", "NotOptedIn",
        "ProviderNotConfigured", "StoreError", "UnprovedDevice", "Unsubscribed",
    ]

    private let pushes: CounterFamily
    private let durations: DurationFamily
    private let records: DurationFamily
    let uptime: @Sendable () -> Duration

    /// - Parameter uptime: The time since a fixed moment; monotonic.
    package init(
        _ factory: any MetricsFactory = NOOPMetricsHandler.instance,
        uptime: @escaping @Sendable () -> Duration = { .zero }
    ) {
        pushes = CounterFamily(Metric.pushes, in: factory)
        durations = DurationFamily(Metric.pushDuration, in: factory)
        records = DurationFamily(Metric.recordDuration, in: factory)
        self.uptime = uptime
    }

    func answered(_ provider: PushProvider, since start: Duration) {
        durations.record(uptime() - start, provider.rawValue)
    }

    func recorded(since start: Duration) { records.record(uptime() - start) }

    func ended(_ change: DispatchUpdate.Change, provider: PushProvider?) {
        let (outcome, reason): (String, String?) =
            switch change {
            case .accepted: ("accepted", nil)
            case .rejected(let reason, _): ("rejected", reason)
            case .skipped(let reason): ("skipped", reason)
            case .unknown(let reason): ("unknown", reason)
            case .retry(let reason, _): ("retry", reason)
            case .postponed(let reason, _): ("postponed", reason)
            }
        pushes.add(1, provider?.rawValue ?? "none", outcome, Self.label(of: reason))
    }

    /// A reason as a value of a label: its code, `other` for a text, and nothing for none.
    static func label(of reason: String?) -> String {
        guard let reason else { return "" }
        let code = String(reason.prefix { $0 != ":" })
        return reasons.contains(code) ? code : MetricRegistry.others
    }
}
