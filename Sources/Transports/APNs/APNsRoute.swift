import Model
import PushHTTP
import Synchronization

/// How the pushes of one app and environment travel: the connection pool and what authorises it.
///
/// Several routes share one pool when they use the same signing key.
final class APNsRoute: Sendable {
    private struct HeaderKind: Hashable {
        var pushType: APNsPushType
        var priority: Int
    }

    let credentials: APNsCredentials
    let link: APNsLink
    private let bundleID: String
    private let headers = Mutex<[HeaderKind: SharedHeaders]>([:])

    init(bundleID: String, credentials: APNsCredentials, link: APNsLink) {
        self.bundleID = bundleID
        self.credentials = credentials
        self.link = link
    }

    /// The headers that all notifications of this kind share.
    func sharedHeaders(_ notification: APNsNotification) -> SharedHeaders {
        let kind = HeaderKind(pushType: notification.pushType, priority: notification.priority)
        return headers.withLock { headers in
            if let known = headers[kind] { return known }
            let made = SharedHeaders([
                ("apns-topic", bundleID + kind.pushType.topicSuffix),
                ("apns-push-type", kind.pushType.rawValue),
                ("apns-priority", String(kind.priority)),
            ])
            headers[kind] = made
            return made
        }
    }
}

/// One connection pool and the token source that goes with it.
struct APNsLink: Sendable {
    let client: PushHTTPClient
    /// Nil where a certificate authorises the connection.
    let tokens: APNsTokenSource?
}
