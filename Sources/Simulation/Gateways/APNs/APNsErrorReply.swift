import Foundation

/// A refusal as APNs words it.
struct APNsErrorReply: Error, Hashable {
    var status: Int
    var reason: String
    /// With 410: when the token was last seen dead.
    var goneAt: Date?

    init(_ status: Int, _ reason: String, goneAt: Date? = nil) {
        self.status = status
        self.reason = reason
        self.goneAt = goneAt
    }

    static let invalidProviderToken = APNsErrorReply(403, "InvalidProviderToken")
    static let expiredProviderToken = APNsErrorReply(403, "ExpiredProviderToken")
    static let tooManyProviderTokenUpdates = APNsErrorReply(429, "TooManyProviderTokenUpdates")
    static let badDeviceToken = APNsErrorReply(400, "BadDeviceToken")

    /// The JSON body.
    var body: [UInt8] {
        guard let goneAt else { return Array(#"{"reason":"\#(reason)"}"#.utf8) }
        let milliseconds = RecordText.whole(goneAt.timeIntervalSince1970 * 1000)
        return Array(#"{"reason":"\#(reason)","timestamp":\#(milliseconds)}"#.utf8)
    }
}
