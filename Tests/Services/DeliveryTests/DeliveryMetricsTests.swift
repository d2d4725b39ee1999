import Testing

@testable import Delivery

@Suite("What delivery counts")
struct DeliveryMetricsTests {
    @Test(
        "a reason is shown by its code, and a text of whomever as one of others",
        arguments: [
            (nil, ""), ("BadDeviceToken", "BadDeviceToken"), ("UNREGISTERED", "UNREGISTERED"),
            ("LiquidError: no such filter 'hanako'", "LiquidError"),
            ("Aborted: hanako@example.com has no cup", "other"), ("Hanako", "other"),
            ("the server refused the stream", "other"), ("", "other"),
        ] as [(String?, String)]
    )
    func labels(reason: String?, label: String) {
        #expect(DeliveryMetrics.label(of: reason) == label)
    }
}
