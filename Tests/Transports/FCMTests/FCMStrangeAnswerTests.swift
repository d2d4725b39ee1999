import FCM
import Ports
import PushHTTP
import Testing

@Suite("An answer that Google would not write has a consequence all the same")
struct FCMStrangeAnswerTests {
    private func outcome(_ status: Int, _ body: String, wait: String? = nil) -> PushOutcome {
        FCMResponse.outcome(
            PushHTTPResponse(
                status: status,
                headers: wait.map { [("retry-after", $0)] } ?? [],
                body: Array(body.utf8)
            )
        )
    }

    private func error(_ code: String, _ message: String = "x") -> String {
        let type = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
        return """
            {"error":{"code":1e308,"message":"\(message)","status":"\(code)","details":[\
            {"@type":"\(type)","errorCode":"\(code)"}]}}
            """
    }

    @Test("a word that is none is replaced by the status, and texts are cut and cleaned")
    func words() throws {
        for code in ["", "two words", #"nul\u0000"#, String(repeating: "X", count: 65)] {
            guard case .rejected(let rejection) = outcome(404, error(code)) else {
                Issue.record("not rejected: \(code)")
                continue
            }
            #expect(rejection.reason == "HTTP 404")
        }
        let long = #"a\u0000"# + String(repeating: "x", count: 10_000)
        guard case .rejected(let rejection) = outcome(403, error("OTHER", long)) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.advice.utf8.count < 1000)
        #expect(!rejection.advice.contains("\0"))
    }

    @Test("an accepted message has a name that can be stored, or none")
    func names() {
        let good = "projects/fires/messages/1"
        #expect(outcome(200, #"{"name":"\#(good)"}"#) == .accepted(providerID: good))
        for body in [
            #"{"name":"a\u0000b"}"#, #"{"name":"\#(String(repeating: "x", count: 501))"}"#,
            #"{"name":1e308}"#, "", "NaN", String(repeating: "[", count: 10_000),
        ] {
            #expect(outcome(200, body) == .accepted(providerID: nil), "\(body.prefix(40))")
        }
    }

    @Test("a wait is a day at most, and what is no number is none")
    func waits() {
        let body = error("QUOTA_EXCEEDED")
        let cases: [(String, Duration)] = [
            ("7", .seconds(7)), ("31536000", .seconds(86_400)), ("-1", .seconds(60)),
            ("99999999999999999999", .seconds(86_400)), ("1e308", .seconds(60)),
        ]
        for (wait, expected) in cases {
            let found = outcome(429, body, wait: wait)
            #expect(found == .retry(reason: "QUOTA_EXCEEDED", after: expected), "\(wait)")
        }
    }
}
