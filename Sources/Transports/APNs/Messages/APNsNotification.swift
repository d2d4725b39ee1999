import Foundation
import Model
import Ports

/// A request to APNs, of any push type.
package struct APNsNotification: Sendable {
    /// A lowercase UUID, the same in every retry.
    package var id: String
    /// In hex, as the device registered it.
    package var deviceToken: String
    /// The app's bundle identifier, to which the push type's suffix is added.
    package var bundleID: String
    package var environment: APNsEnvironment
    package var pushType: APNsPushType
    /// 10, 5 or 1.
    package var priority: Int
    package var expiration: Date?
    package var collapseID: String?
    /// The JSON payload.
    package var payload: [UInt8]

    package init(
        id: String,
        deviceToken: String,
        bundleID: String,
        environment: APNsEnvironment,
        pushType: APNsPushType = .alert,
        priority: Int = 10,
        expiration: Date? = nil,
        collapseID: String? = nil,
        payload: [UInt8]
    ) {
        self.id = id
        self.deviceToken = deviceToken
        self.bundleID = bundleID
        self.environment = environment
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.payload = payload
    }

    /// Creates the notification for a push; `nil` if its destination is not Apple's.
    ///
    /// A push without a collapse id collapses with its own retry: if it is sent again after a
    /// crash, it replaces the first copy on the device.
    init?(_ push: OutgoingPush) {
        guard case .apns(let token, let topic, let environment) = push.address else { return nil }
        let message = push.message
        self.init(
            id: push.dispatch.description,
            deviceToken: token,
            bundleID: topic,
            environment: environment,
            pushType: message.isSilent ? .background : .alert,
            priority: Self.priority(push.options.priority, isSilent: message.isSilent),
            expiration: push.options.expiration,
            collapseID: push.options.collapseID ?? push.dispatch.description,
            payload: APNsPayload.encode(push)
        )
    }

    /// Apple refuses a background push of priority 10.
    private static func priority(_ priority: PushPriority, isSilent: Bool) -> Int {
        switch priority {
        case .high: isSilent ? 5 : 10
        case .normal: 5
        case .low: 1
        }
    }

    /// Checks the notification for errors that Apple would reject.
    package func check() -> PushRejection? {
        guard !deviceToken.isEmpty, deviceToken.utf8.count <= 200,
            deviceToken.allBytes(Self.isHexDigit)
        else {
            return .local(
                "BadDeviceToken",
                .retireToken,
                "The device token is not hexadecimal, so it never came from Apple."
            )
        }
        guard !bundleID.isEmpty, bundleID.allBytes({ $0 > 0x20 && $0 < 0x7f }) else {
            return .local("MissingTopic", .fixApp, "Enter the app's bundle identifier.")
        }
        if let collapseID, collapseID.utf8.count > 64 {
            return .local(
                "BadCollapseId",
                .fixMessage,
                "The collapse id has \(collapseID.utf8.count) bytes; at most 64 are allowed."
            )
        }
        if let collapseID, !collapseID.allBytes({ $0 >= 0x20 && $0 != 0x7f }) {
            return .local("BadCollapseId", .fixMessage, "The collapse id has a control character.")
        }
        guard !payload.isEmpty else {
            return .local("PayloadEmpty", .fixMessage, "The payload is empty.")
        }
        guard payload.count <= pushType.payloadLimit else {
            return .local(
                "PayloadTooLarge",
                .fixMessage,
                """
                The payload has \(payload.count) bytes; Apple takes \(pushType.payloadLimit). \
                Shorten the texts or the key-value pairs.
                """
            )
        }
        if pushType == .background, priority == 10 {
            return .local(
                "BadPriority",
                .fixMessage,
                "A background push may not have priority 10; use 5."
            )
        }
        return nil
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

extension String {
    /// Whether a rule holds for every byte. Checks the contiguous bytes, because every push calls
    /// it.
    @inline(__always)
    fileprivate func allBytes(_ rule: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(rule) } ?? utf8.allSatisfy(rule)
    }
}

extension PushRejection {
    static func local(
        _ reason: String,
        _ consequence: Consequence,
        _ advice: String
    ) -> PushRejection {
        PushRejection(reason: reason, consequence: consequence, advice: advice)
    }
}
