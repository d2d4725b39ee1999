import Model
import PushHTTP
import Synchronization

/// The route of the pushes of one app and environment: the connection pool and its authorization.
///
/// Several routes share one pool if they use the same signing key.
final class APNsChannel: Sendable {
    private struct HeaderKind: Hashable {
        var pushType: APNsPushType
        var priority: Int
    }

    let credentials: APNsCredentials
    let link: APNsConnectionPool
    private let bundleID: String
    private let headers = Mutex<[HeaderKind: SharedHeaders]>([:])

    init(bundleID: String, credentials: APNsCredentials, link: APNsConnectionPool) {
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

/// A connection pool and its token source.
struct APNsConnectionPool: Sendable {
    let client: PushHTTPClient
    /// `nil` if a certificate authorizes the connection.
    let tokens: APNsTokenSource?
}
