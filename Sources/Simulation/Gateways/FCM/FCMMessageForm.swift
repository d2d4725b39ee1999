import Foundation
import NoroshiWire

/// A send request of valid form: FCM rejects invalid ones without knowing the device.
struct FCMMessageForm {
    private static let maxPayloadLength = 4096
    private static let maxLifetime = 28.0 * 86_400
    private static let targets = ["token", "topic", "condition"]

    var token: String
    var message: JSONValue
    var data: [String: String] = [:]
    var collapseKey: String?
    var priority = "NORMAL"
    var timeToLive = maxLifetime
    var isOnlyValidated = false

    init(_ body: [UInt8]) throws(FCMErrorReply) {
        guard body.count < GatewayRequest.maxBodyLength else {
            throw .badMessage("message", "Request payload size exceeds the limit")
        }
        guard let root = RecordText.value(body), let message = root["message"],
            let members = message.objectValue
        else {
            throw .badMessage("message", "Invalid JSON payload received.")
        }
        self.message = message
        isOnlyValidated = (root["validate_only"] ?? root["validateOnly"])?.boolValue ?? false
        let named = Self.targets.filter { members[$0] != nil }
        guard named.count == 1 else {
            throw .badMessage(
                "message",
                "Exactly one of token, topic or condition must be specified"
            )
        }
        guard let token = message["token"]?.stringValue else {
            throw .badMessage("message.\(named[0])", "This simulator has no topics")
        }
        self.token = token
        try readData()
        try readAndroid()
        let size = payloadSize
        guard size <= Self.maxPayloadLength else {
            throw .badMessage("message", "Android message is too big: \(size) bytes")
        }
    }

    private mutating func readData() throws(FCMErrorReply) {
        guard let value = message["data"] else { return }
        guard let members = value.objectValue else {
            throw .badMessage("message.data", "data must be an object")
        }
        for (key, value) in members {
            guard let text = value.stringValue else {
                throw .badMessage("message.data[\(key)]", "Invalid value (TYPE_STRING)")
            }
            let isReserved =
                ["from", "message_type", "notification"].contains(key)
                || key.hasPrefix("google") || key.hasPrefix("gcm")
            guard !isReserved else {
                throw .badMessage("message.data", "Invalid data payload key: \(key)")
            }
            data[key] = text
        }
    }

    private mutating func readAndroid() throws(FCMErrorReply) {
        if message["notification"] != nil { priority = "HIGH" }
        guard let android = message["android"] else { return }
        if let text = android["priority"]?.stringValue?.uppercased() {
            guard text == "HIGH" || text == "NORMAL" else {
                throw .badMessage("message.android.priority", "Invalid value: \(text)")
            }
            priority = text
        }
        collapseKey = (android["collapse_key"] ?? android["collapseKey"])?.stringValue
        if let text = android["ttl"]?.stringValue {
            guard let seconds = Self.seconds(text), seconds <= Self.maxLifetime else {
                throw .badMessage("message.android.ttl", "Invalid duration: \(text)")
            }
            timeToLive = seconds
        }
    }

    /// A duration in Google's JSON: seconds, up to nine decimals, and `s`.
    private static func seconds(_ text: String) -> Double? {
        guard text.utf8.last == UInt8(ascii: "s") else { return nil }
        let parts = text.utf8.dropLast().split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        let isDecimal = parts.allSatisfy { part in
            (1...9).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
        }
        return parts.count <= 2 && isDecimal ? Double(text.dropLast()) : nil
    }

    private var payloadSize: Int {
        var size = data.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        for member in message["notification"]?.objectValue ?? [:] {
            size += member.value.stringValue?.utf8.count ?? 0
        }
        return size
    }
}
