import Foundation
import Model

/// The device tokens that the simulator has issued.
struct APNsDeviceRegistry {
    struct Device {
        var bundleID: String
        var environment: APNsEnvironment
        /// Set when the app was removed or the token replaced.
        var goneAt: Date?
        var goneReason = "Unregistered"
    }

    private var devices: [String: Device] = [:]

    subscript(token: String) -> Device? { devices[token] }

    mutating func register(
        _ token: String,
        bundleID: String,
        environment: APNsEnvironment
    ) {
        devices[token] = Device(bundleID: bundleID, environment: environment)
    }

    mutating func retire(_ token: String, reason: String, at date: Date) {
        devices[token]?.goneAt = date
        devices[token]?.goneReason = reason
    }

    /// Whether a text in lowercase has the form of a device token. Apple guarantees no length;
    /// current tokens have 64 digits.
    static func isToken(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
    }

    /// A new token: 32 bytes in hex, as Apple's are today.
    static func makeToken() -> String {
        let digits = Array("0123456789abcdef")
        return String((0..<64).map { _ in digits[Int.random(in: 0..<16)] })
    }
}
