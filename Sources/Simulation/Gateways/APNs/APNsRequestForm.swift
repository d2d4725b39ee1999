import Foundation

/// A send request of valid form: APNs rejects invalid ones without knowing keys or devices.
struct APNsRequestForm {
    static let pushTypes: [String: (suffix: String, limit: Int)] = [
        "alert": ("", 4096), "background": ("", 4096), "mdm": ("", 4096),
        "controls": (".push-type.controls", 4096),
        "fileprovider": (".pushkit.fileprovider", 4096),
        "liveactivity": (".push-type.liveactivity", 4096),
        "location": (".location-query", 4096), "pushtotalk": (".voip-ptt", 4096),
        "voip": (".voip", 5120), "widgets": (".push-type.widgets", 4096),
        "complication": (".complication", 4096),
    ]
    /// The end of the year 9999: later dates are taken for this one.
    private static let lastSecond: Int64 = 253_402_300_799
    private static let single = [
        "apns-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration",
        "apns-collapse-id", "authorization",
    ]

    var deviceToken: String
    var id: String?
    var topic: String?
    var pushType: String
    var priority: Int
    var expiration: Date?
    var collapseID: String?

    /// The device token in the path.
    static func deviceToken(_ request: GatewayRequest) throws(APNsErrorReply) -> String {
        guard request.method == "POST" else { throw APNsErrorReply(405, "MethodNotAllowed") }
        let prefix = "/3/device"
        guard request.path == prefix || request.path.hasPrefix(prefix + "/") else {
            throw APNsErrorReply(404, "BadPath")
        }
        let token = request.path.dropFirst(prefix.count + 1)
        guard !token.isEmpty else { throw APNsErrorReply(400, "MissingDeviceToken") }
        guard !token.contains("/") else { throw APNsErrorReply(404, "BadPath") }
        return token.lowercased()
    }

    init(_ request: GatewayRequest, deviceToken: String) throws(APNsErrorReply) {
        self.deviceToken = deviceToken
        for name in Self.single where request.headers.count(where: { $0.name == name }) > 1 {
            throw APNsErrorReply(400, "DuplicateHeaders")
        }
        id = request.header("apns-id")
        if let id, !Self.isUUID(id) { throw APNsErrorReply(400, "BadMessageId") }
        topic = request.header("apns-topic")
        if let topic, topic.isEmpty { throw APNsErrorReply(400, "MissingTopic") }
        pushType = request.header("apns-push-type") ?? "alert"
        guard let type = Self.pushTypes[pushType] else {
            throw APNsErrorReply(400, "InvalidPushType")
        }
        if let topic, !type.suffix.isEmpty, !topic.hasSuffix(type.suffix) {
            throw APNsErrorReply(400, "BadTopic")
        }
        priority = try Self.priority(request.header("apns-priority"), pushType: pushType)
        expiration = try Self.expiration(request.header("apns-expiration"))
        collapseID = request.header("apns-collapse-id")
        if let collapseID, collapseID.utf8.count > 64 { throw APNsErrorReply(400, "BadCollapseId") }
        guard !request.body.isEmpty else { throw APNsErrorReply(400, "PayloadEmpty") }
        guard request.body.count <= type.limit else { throw APNsErrorReply(413, "PayloadTooLarge") }
        let json = try? JSONSerialization.jsonObject(with: Data(request.body))
        // Apple documents no reason for a body that is not a JSON object; this is the closest one.
        guard let object = json as? [String: Any], !object.isEmpty else {
            throw APNsErrorReply(400, "PayloadEmpty")
        }
    }

    /// The bundle identifier: the topic without the push type's suffix.
    func bundleID(in topic: String) -> String {
        let suffix = Self.pushTypes[pushType]?.suffix ?? ""
        return String(topic.dropLast(suffix.count))
    }

    private static func priority(
        _ header: String?,
        pushType: String
    ) throws(APNsErrorReply) -> Int {
        let priority: Int
        switch header {
        case nil: priority = pushType == "background" ? 5 : 10
        case "10": priority = 10
        case "5": priority = 5
        case "1": priority = 1
        default: throw APNsErrorReply(400, "BadPriority")
        }
        if pushType == "background", priority == 10 { throw APNsErrorReply(400, "BadPriority") }
        return priority
    }

    private static func expiration(_ header: String?) throws(APNsErrorReply) -> Date? {
        guard let header else { return nil }
        guard let seconds = Int64(header), seconds >= 0 else {
            throw APNsErrorReply(400, "BadExpirationDate")
        }
        return Date(timeIntervalSince1970: Double(min(seconds, lastSecond)))
    }

    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36 && UUID(uuidString: text) != nil
    }
}
