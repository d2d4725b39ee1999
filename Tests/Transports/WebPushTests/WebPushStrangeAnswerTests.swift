import Ports
import PushHTTP
import Testing
import WebPush

@Suite("An answer that no browser's service would write has a consequence all the same")
struct WebPushStrangeAnswerTests {
    private func outcome(
        _ status: Int,
        _ body: String = "",
        _ headers: [(name: String, value: String)] = []
    ) -> PushOutcome {
        WebPushResponse.outcome(
            PushHTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        )
    }

    @Test(
        "a reason is one short word, or the status",
        arguments: [
            (#"{"reason":"BadJwtToken"}"#, "BadJwtToken"), (#"{"reason":"two words"}"#, "HTTP 403"),
            (#"{"reason":"nul\u0000"}"#, "HTTP 403"), (#"{"errno":109}"#, "HTTP 403 (errno 109)"),
            (#"{"errno":9223372036854775808}"#, "HTTP 403"), (#"{"errno":1e308}"#, "HTTP 403"),
            (#"{"reason":"\#(String(repeating: "x", count: 60_000))"}"#, "HTTP 403"),
            (String(repeating: "[", count: 60_000), "HTTP 403"), ("\0", "HTTP 403"),
        ]
    )
    func reasons(body: String, reason: String) {
        guard case .rejected(let rejection) = outcome(403, body) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.reason == reason)
    }

    @Test("an address of the message that cannot be stored is dropped")
    func location() {
        let good = "https://push.example/message/1"
        #expect(outcome(201, "", [("location", good)]) == .accepted(providerID: good))
        for text in ["a\0b", String(repeating: "x", count: 501), ""] {
            #expect(outcome(201, "", [("location", text)]) == .accepted(providerID: nil))
        }
    }

    @Test("a wait is a day at most")
    func waits() {
        let day = PushOutcome.retry(reason: "HTTP 429", after: .seconds(86_400))
        #expect(outcome(429, "", [("retry-after", "9223372036854775807")]) == day)
        #expect(
            outcome(503, "", [("retry-after", "-1")])
                == .retry(reason: "HTTP 503", after: .seconds(30))
        )
    }
}
