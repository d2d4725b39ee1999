import PushHTTP
import Testing

@Suite("What a service writes is bounded and clean before it is kept")
struct ResponseTextTests {
    private func response(_ wait: String) -> PushHTTPResponse {
        PushHTTPResponse(status: 429, headers: [("retry-after", wait)])
    }

    @Test(
        "Retry-After is whole seconds, a day at most",
        arguments: [
            ("0", Duration.seconds(0)), ("120", .seconds(120)), ("86401", .seconds(86_400)),
            ("31536000", .seconds(86_400)), ("9223372036854775807", .seconds(86_400)),
            ("99999999999999999999999", .seconds(86_400)), ("-1", nil), ("1e308", nil),
            ("nan", nil), ("1.5", nil), ("", nil), ("+5", nil), ("٣", nil),
            ("Wed, 21 Oct 9999 07:28:00 GMT", nil),
        ] as [(String, Duration?)]
    )
    func retryAfter(text: String, wait: Duration?) {
        #expect(response(text).retryAfter == wait)
    }

    @Test("a word is short and visible, or it is none")
    func words() {
        #expect(PushHTTPResponse.word("BadDeviceToken") == "BadDeviceToken")
        for text in [
            nil, "", "two words", "line\nline", "a\0b", "狼煙", String(repeating: "x", count: 65),
        ] {
            #expect(PushHTTPResponse.word(text) == nil)
        }
        let name = "https://push.example/message/1"
        #expect(PushHTTPResponse.name(name) == name)
        #expect(PushHTTPResponse.name(String(repeating: "x", count: 501)) == nil)
    }

    @Test("a line has no control characters and an end")
    func lines() {
        #expect(PushHTTPResponse.line("a\0b\r\nc\u{1b}[31m") == "a b  c [31m")
        #expect(PushHTTPResponse.line(String(repeating: "x", count: 9_000)).count == 500)
        let body = Array("no\0body".utf8)
        #expect(PushHTTPResponse(status: 500, body: body).bodyText == "no body")
    }
}
