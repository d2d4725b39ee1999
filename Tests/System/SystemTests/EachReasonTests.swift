import Foundation
import Gateways
import Model
import Server
import Testing

/// Every documented answer of the three providers, from the wire to the ledger.
@Suite("Each reason a provider gives ends in the right state of the ledger")
struct EachReasonTests {
    struct Case: Sendable, CustomTestStringConvertible {
        enum State: Int, Sendable {
            case accepted = 2
            case rejected = 3
            /// Waits for its next attempt.
            case waiting = 0
        }

        var status: Int
        var reason: String
        var state: State
        /// Whether the device's token is given up.
        var retires = false
        /// What stands in the ledger where it differs from the provider's word.
        var noted: String?
        /// Members of the fault beside status and reason.
        var more = ""

        var testDescription: String { "\(status) \(reason)" }
    }

    private static func rejected(_ status: Int, _ reasons: String...) -> [Case] {
        reasons.map { Case(status: status, reason: $0, state: .rejected) }
    }

    private static func waiting(_ status: Int, _ reasons: String...) -> [Case] {
        reasons.map { Case(status: status, reason: $0, state: .waiting) }
    }

    private static let apple: [Case] =
        rejected(
            400,
            "BadCollapseId",
            "BadDeviceToken",
            "BadExpirationDate",
            "BadMessageId",
            "BadPriority",
            "BadTopic",
            "DeviceTokenNotForTopic",
            "DuplicateHeaders",
            "InvalidPushType",
            "MissingDeviceToken",
            "MissingTopic",
            "PayloadEmpty",
            "TopicDisallowed",
            "SomethingNew"
        )
        + rejected(
            403,
            "BadCertificate",
            "BadCertificateEnvironment",
            "ExpiredProviderToken",
            "Forbidden",
            "InvalidProviderToken",
            "MissingProviderToken",
            "UnrelatedKeyIdInToken",
            "BadEnvironmentKeyIdInToken",
            "BadEnvironmentKeyInToken",
            "SomethingNew"
        )
        + rejected(404, "BadPath") + rejected(405, "MethodNotAllowed")
        + rejected(413, "PayloadTooLarge")
        + [
            Case(status: 410, reason: "ExpiredToken", state: .rejected, retires: true),
            Case(status: 410, reason: "Unregistered", state: .rejected, retires: true),
            // Apple saw the token die before it was registered here: it lives.
            Case(
                status: 410,
                reason: "Unregistered",
                state: .rejected,
                more: #", "timestamp": 1000000000000"#
            ),
        ]
        + waiting(400, "IdleTimeout")
        + waiting(429, "TooManyProviderTokenUpdates", "TooManyRequests", "SomethingNew")
        + waiting(500, "InternalServerError", "SomethingNew")
        + waiting(503, "ServiceUnavailable", "Shutdown")

    private static let google: [Case] =
        [
            Case(status: 404, reason: "UNREGISTERED", state: .rejected, retires: true),
            Case(status: 400, reason: "INVALID_ARGUMENT", state: .rejected, retires: true),
        ]
        + rejected(403, "SENDER_ID_MISMATCH") + rejected(401, "THIRD_PARTY_AUTH_ERROR")
        + waiting(429, "QUOTA_EXCEEDED") + waiting(500, "INTERNAL", "UNSPECIFIED_ERROR")
        + waiting(503, "UNAVAILABLE")
        // Google's general errors, which carry no code of FCM's.
        + rejected(401, "UNAUTHENTICATED") + rejected(403, "PERMISSION_DENIED")
        // A code that FCM does not document yet: the status decides.
        + [
            Case(status: 400, reason: "SOMETHING_NEW", state: .rejected),
            Case(status: 403, reason: "SOMETHING_NEW", state: .rejected),
            Case(status: 429, reason: "SOMETHING_NEW", state: .waiting),
            Case(status: 500, reason: "SOMETHING_NEW", state: .waiting),
        ]

    private static let browsers: [Case] =
        rejected(400, "BadTTL", "VapidPkHashMismatch", "SomethingNew")
        + rejected(401, "MissingAuthorization")
        + rejected(403, "BadJwtToken", "VapidPkHashMismatch", "SomethingNew")
        + [
            Case(status: 404, reason: "NoSuchSubscription", state: .rejected, retires: true),
            Case(status: 410, reason: "Unsubscribed", state: .rejected, retires: true),
            Case(status: 413, reason: "x", state: .rejected, noted: "PayloadTooLarge"),
            Case(status: 301, reason: "Moved", state: .rejected),
        ]
        + waiting(429, "Slow") + waiting(500, "Broken") + waiting(502, "Broken")
        + waiting(503, "Busy")

    @Test("Apple's")
    func apns() async throws {
        try await judge(.apns, Self.apple)
    }

    @Test("Google's")
    func fcm() async throws {
        try await judge(.fcm, Self.google)
    }

    @Test("the browsers'")
    func webPush() async throws {
        try await judge(.webPush, Self.browsers)
    }

    /// Sends one push for each case, to a device whose pushes meet that answer.
    ///
    /// Those that come to an end go first and alone: enough of those that wait suspend the lane,
    /// and in a suspended lane refused credentials are waited for as well.
    private func judge(_ provider: PushProvider, _ cases: [Case]) async throws {
        try await DispatchFixture.run(provider) { bench in
            var devices: [DispatchFixture.Device] = []
            for _ in cases { devices.append(try await bench.device()) }
            let faults = zip(cases, devices).map { one, device in
                """
                {"token": "\(device.faultKey)", "status": \(one.status),
                 "reason": "\(one.reason)"\(one.more)}
                """
            }
            try bench.play("{\"faults\": [\(faults.joined(separator: ","))]}")
            for waits in [false, true] {
                let some = zip(cases, devices).filter { ($0.0.state == .waiting) == waits }
                for (_, device) in some { try await bench.send(to: device) }
                for (one, device) in some {
                    let row =
                        waits
                        ? try await bench.answer(for: device) : try await bench.ending(of: device)
                    let name = "\(provider.rawValue) \(one.status) \(one.reason)"
                    #expect(row.reason == one.noted ?? one.reason, "\(name)")
                    #expect(row.state == one.state.rawValue, "\(name)")
                    #expect(row.hasToken == !one.retires, "\(name)")
                }
            }
        }
    }
}
