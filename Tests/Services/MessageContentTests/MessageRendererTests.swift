import Campaigns
import Foundation
import Liquid
import Model
import Synchronization
import Testing

private let now = Date(timeIntervalSince1970: 1_790_000_000)

@Suite("What rendering a message may cost")
struct MessageRendererTests {
    private static let cheap = "{% for i in (1..10) %}{{ i }}{% endfor %}"
    /// Some 20,000 steps.
    private static let dear =
        "{% for i in (1..4000) %}{% assign x = i | plus: 1 | minus: 1 %}{% endfor %}"

    private func settings(
        _ change: (inout MessageRenderer.Settings) -> Void = { _ in }
    ) -> MessageRenderer.Settings {
        var settings = MessageRenderer.Settings()
        settings.stepsAtOnce = 2_000
        change(&settings)
        return settings
    }

    private func outcome(
        _ body: String,
        title: String = "",
        by renderer: MessageRenderer
    ) async throws -> String {
        let templates = try PushTemplates(parsing: PushMessage(title: title, body: body))
        return try await text(templates, by: renderer)
    }

    private func text(
        _ templates: PushTemplates,
        by renderer: MessageRenderer
    ) async throws -> String {
        switch try await templates.render(
            for: ProfileVariables(profile: nil),
            now: now,
            by: renderer
        ) {
        case .message(let message): message.body
        case .skip(let reason): "skip: \(reason)"
        case .overdue(let reason): "overdue: \(reason)"
        }
    }

    @Test("a dear message is rendered on a thread of its own, like a cheap one")
    func threads() async throws {
        let renderer = MessageRenderer(settings: settings())
        #expect(try await outcome(Self.cheap, by: renderer) == "12345678910")
        #expect(try await outcome(Self.dear + "done", by: renderer) == "done")
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<20 {
                group.addTask { try await outcome(Self.dear + "\(number)", by: renderer) }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<20).map { "\($0)" }))
    }

    /// How many work at the same time.
    private final class Load: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock(\.most) }

        func begin() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func end() { state.withLock { $0.now -= 1 } }
    }

    @Test("what has had all the work there is is not begun again")
    func onceOnly() async throws {
        for (atOnce, expected) in [(4_999, [4_999, 5_000]), (5_000, [5_000]), (9_000, [5_000])] {
            var settings = MessageRenderer.Settings()
            settings.limits.steps = 5_000
            settings.stepsAtOnce = atOnce
            let tried = Mutex<[Int]>([])
            await #expect(throws: LiquidError.self) {
                try await MessageRenderer(settings: settings).perform { steps throws(LiquidError) in
                    tried.withLock { $0.append(steps) }
                    throw LiquidError(.workLimit, .stepLimit)
                }
            }
            #expect(tried.withLock { $0 } == expected)
        }
    }

    @Test("there are no more such threads than are set, however many messages wait for one")
    func threadCount() async throws {
        let renderer = MessageRenderer(settings: settings { $0.threads = 2 })
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    try await renderer.perform { steps throws(LiquidError) in
                        guard steps > 2_000 else { throw LiquidError(.workLimit, .stepLimit) }
                        load.begin()
                        // A third thread would begin meanwhile.
                        Thread.sleep(forTimeInterval: 0.02)
                        load.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(load.most <= 2)
    }

    @Test("the line for these threads has an end, and cheap messages do not wait in it")
    func busy() async throws {
        let renderer = MessageRenderer(settings: settings { $0.waiting = 0 })
        #expect(try await outcome(Self.cheap, by: renderer) == "12345678910")
        let refused = try await outcome(Self.dear, by: renderer)
        #expect(
            refused
                == "overdue: LiquidError: Liquid error: Too many large messages are being rendered; "
                + "try again in a moment"
        )
    }

    @Test("all texts of a message have one budget of work")
    func budget() async throws {
        let renderer = MessageRenderer(settings: settings { $0.limits.steps = 25_000 })
        #expect(try await outcome(Self.dear + "done", by: renderer) == "done")
        let both = try await outcome(Self.dear + "done", title: Self.dear, by: renderer)
        #expect(
            both
                == "skip: LiquidError: Liquid error (line 1): Render step limit exceeded; "
                + "make loops and texts shorter"
        )
    }

    @Test("a message that takes too long may be tried again later")
    func overdue() async throws {
        let seconds = Mutex(0)
        let renderer = MessageRenderer(settings: settings()) {
            .seconds(
                seconds.withLock {
                    $0 += 1
                    return $0
                }
            )
        }
        let late = try await outcome(Self.dear, by: renderer)
        #expect(late.hasPrefix("overdue: LiquidError: Liquid error (line 1): Render time limit"))
    }

    @Test("a message that reaches a limit for user after user is given up")
    func strikes() async throws {
        let renderer = MessageRenderer(
            settings: settings {
                $0.limits.steps = 10_000
                $0.strikes = 3
            }
        )
        let templates = try PushTemplates(parsing: PushMessage(title: "", body: Self.dear))
        for _ in 0..<3 {
            #expect(try await text(templates, by: renderer).contains("step limit exceeded"))
        }
        #expect(try await text(templates, by: renderer).contains("Not rendered any more"))
    }

    @Test("strikes in between that the message was rendered begin anew")
    func cleared() async throws {
        var settings = settings()
        settings.strikes = 2
        let strikes = RenderStrikes()
        let limit = LiquidError(.workLimit, .stepLimit)
        func isGivenUp() -> Bool {
            do {
                try strikes.check(settings)
                return false
            } catch {
                return true
            }
        }
        strikes.note(limit)
        #expect(!isGivenUp())
        strikes.clear()
        strikes.note(limit)
        #expect(!isGivenUp())
        // What is wrong with one user's message says nothing of the others.
        strikes.note(LiquidError(.argument, .moneyNeedsNumber))
        #expect(!isGivenUp())
        strikes.note(LiquidError(.timeLimit, .timeLimit))
        #expect(isGivenUp())
    }

    @Test("a server renders as its documents say, where nothing else is set")
    func standard() {
        let settings = MessageRenderer.Settings()
        #expect(settings.stepsAtOnce == 20_000)
        #expect(settings.threads == 1)
        #expect(settings.waiting == 32)
        #expect(settings.strikes == 10)
    }
}
