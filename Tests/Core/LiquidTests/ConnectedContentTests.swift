import Liquid
import Reasons
import Synchronization
import Testing

@Suite("Connected Content")
struct ConnectedContentTests {
    private let options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }

    /// Answers with the address it was asked for, and notes every call.
    private final class Fetcher: LiquidDataSource {
        private let calls = Mutex<[ConnectedContentRequest]>([])
        private let failure: LiquidError?

        init(failure: LiquidError? = nil) {
            self.failure = failure
        }

        var requests: [ConnectedContentRequest] { calls.withLock { $0 } }

        func answer(_ question: LiquidDataRequest) async throws -> LiquidDataResponse {
            guard case .connectedContent(let request) = question else {
                return .catalogItems([])
            }
            calls.withLock { $0.append(request) }
            if let failure { throw failure }
            return .connectedContent(
                ConnectedContentResponse(
                    status: 200,
                    body: Array(#"{"from":"\#(request.url)"}"#.utf8)
                )
            )
        }
    }

    @Test("each call is made once, in order, however often the render starts anew")
    func calls() async throws {
        let template = try Template(
            parsing: """
                {% for i in (1..3) %}{% connected_content https://a.example/{{i}} :save r %}\
                {{ r.from }} {% endfor %}
                """
        )
        #expect(template.asksQuestions)
        let fetcher = Fetcher()
        let outcome = try await template.render(
            LiquidObject([]),
            options: options,
            answerer: fetcher
        )
        guard case .rendered(let result) = outcome else { return }
        #expect(result.text == "https://a.example/1 https://a.example/2 https://a.example/3 ")
        #expect(
            fetcher.requests.map(\.url) == (1...3).map { "https://a.example/\($0)" }
        )
    }

    @Test("a call carries its method, headers, body and the other options")
    func request() async throws {
        let template = try Template(
            parsing: """
                {% connected_content https://a.example/x :method put :headers {"A": "b c"} \
                :body {"k": "{{ v }}"} :content_type application/json :basic_auth shop \
                :cache_max_age 90 :retry %}
                """
        )
        let fetcher = Fetcher()
        let data = LiquidObject([(LiquidName("v"), .string("w"))])
        _ = try await template.render(data, options: options, answerer: fetcher)
        var expected = ConnectedContentRequest(url: "https://a.example/x")
        expected.method = "PUT"
        expected.headers = ["A": "b c"]
        expected.body = #"{"k": "w"}"#
        expected.contentType = "application/json"
        expected.basicAuth = "shop"
        expected.cacheSeconds = 90
        expected.retries = true
        #expect(fetcher.requests == [expected])
    }

    @Test("what the fetcher throws ends the render")
    func failure() async throws {
        let template = try Template(parsing: "a{% connected_content https://a.example/x %}")
        let failure = LiquidError(.argument, .verbatim, ["text": "try later"])
        await #expect(throws: failure) {
            try await template.render(
                LiquidObject([]),
                options: options,
                answerer: Fetcher(failure: failure)
            )
        }
    }

    @Test("without a fetcher such a template does not render")
    func noFetcher() throws {
        let template = try Template(parsing: "{% connected_content https://a.example/x %}")
        let error = #expect(throws: LiquidError.self) {
            try template.render(LiquidObject([]), options: options)
        }
        #expect(error?.kind == .suspended)
    }
}
