import Growth
import Liquid
import Synchronization
import Testing

@Suite("Rendering")
struct RenderingTests {
    private let options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }

    private func text(_ outcome: RenderOutcome) -> String? {
        if case .rendered(let result) = outcome { return result.text }
        return nil
    }

    /// Notes every name it is asked for.
    private final class Profile: LiquidVariables {
        private let asked = Mutex<[String]>([])

        var names: [String] { asked.withLock { $0 } }

        private func answer(_ name: String) -> LiquidValue {
            asked.withLock { $0.append(name) }
            return .string("<\(name)>")
        }

        func value(named name: LiquidName) -> LiquidValue? { answer(name.text) }
        func attribute(named name: LiquidName) -> LiquidValue? { answer("$" + name.text) }
        func member(named name: LiquidName, of group: LiquidName) -> LiquidValue? {
            answer(group.text + "." + name.text)
        }
    }

    @Test("only the values a render uses are read, each by its name")
    func laziness() throws {
        let template = try Template(
            parsing: "{{${city}}} {{custom_attribute.${plan}}} {% if false %}{{ x }}{% endif %}"
        )
        let profile = Profile()
        let outcome = try template.render(profile, options: options)
        #expect(text(outcome) == "<$city> <custom_attribute.plan> ")
        #expect(profile.names == ["$city", "custom_attribute.plan"])
    }

    @Test("one template renders for many tasks at once")
    func concurrency() async throws {
        let template = try Template(
            parsing: "{% for i in (1..50) %}{% cycle 'a', 'b' %}{{ i }}{% endfor %}{{ n }}"
        )
        let options = options
        let texts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<200 {
                group.addTask {
                    let data = LiquidObject([(LiquidName("n"), .int(number))])
                    guard case .rendered(let result) = try template.render(data, options: options)
                    else { return (number, "") }
                    return (number, result.text)
                }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        let loop = (1...50).map { ($0 % 2 == 1 ? "a" : "b") + "\($0)" }.joined()
        #expect(texts.count == 200)
        for (number, text) in texts { #expect(text == loop + "\(number)") }
    }

    /// Partials parsed once, as a server keeps them.
    private struct Partials: LiquidTemplateLoader {
        let parsed: [String: Template]

        func template(named name: String) -> Template? { parsed[name] }
    }

    @Test("a partial that renders itself does so for many tasks at once")
    func recursion() async throws {
        let partial = try Template(
            parsing: "{{ n }}{% if n > 0 %}{% assign m = n | minus: 1 %}"
                + "{% render 'down', n: m %}{% endif %}"
        )
        let template = try Template(parsing: "{% render 'down', n: n %}.")
        var options = options
        options.templates = Partials(parsed: ["down": partial])
        let texts = await withTaskGroup(of: String?.self) { [options] group in
            for number in 0..<100 {
                group.addTask {
                    let data = LiquidObject([(LiquidName("n"), .int(number % 10))])
                    return (try? template.render(data, options: options)).flatMap(text)
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(texts.count == 10)
        #expect(texts["543210."] == 10)
        #expect(texts["0."] == 10)
    }

    @Test("a render that takes too long by the caller's clock stops")
    func deadline() throws {
        let template = try Template(
            parsing: "{% for i in (1..1000000) %}{% assign a = i %}{% endfor %}"
        )
        let counter = Counter()
        var options = options
        options.limits.time = .seconds(3)
        options.clock = { .seconds(counter.next()) }
        let error = #expect(throws: LiquidError.self) {
            try template.render(LiquidObject([]), options: options)
        }
        #expect(error?.message == "Render time limit exceeded; make loops and texts shorter")
        #expect(error?.kind == .timeLimit)
        // At the start, three times in time, once too late, and for the cost.
        #expect(counter.count == 6)
    }

    @Test("a small render never asks for the time")
    func noClock() throws {
        let template = try Template(parsing: "{% for i in (1..100) %}{{ i }}{% endfor %}")
        let counter = Counter()
        var options = options
        options.clock = { .seconds(counter.next()) }
        _ = try template.render(LiquidObject([]), options: options)
        #expect(counter.count == 0)
    }

    @Test("waiting for answers costs no time, what is rendered again after them does")
    func waiting() throws {
        let template = try Template(
            parsing: "{% for i in (1..2000) %}{{ i }}{% endfor %}"
                + "{% connected_content https://a.test %}{% connected_content https://b.test %}"
        )
        let counter = Counter()
        var options = options
        options.clock = { .milliseconds(counter.next()) }
        var render = TemplateRender(of: template, LiquidObject([]), options: options)
        var times: [Duration] = []
        var steps: [Int] = []
        while case .asks = try render.proceed() {
            times.append(render.cost.time)
            steps.append(render.cost.steps)
            for _ in 0..<1000 { _ = counter.next() }
            render.add(.connectedContent(ConnectedContentResponse(status: 200, body: [])))
        }
        #expect(times.count == 2)
        #expect(render.cost.time < .milliseconds(100))
        #expect(steps[1] > steps[0] * 19 / 10)
        #expect(render.cost.steps > steps[0] * 28 / 10)
    }

    @Test("the texts of a message have one budget")
    func oneBudget() throws {
        let template = try Template(parsing: "{% for i in (1..100) %}{{ i }}{% endfor %}")
        var first = TemplateRender(of: template, LiquidObject([]), options: options)
        _ = try first.proceed()
        var limited = options
        limited.limits.steps = first.cost.steps * 3 / 2
        var second = TemplateRender(
            of: template,
            LiquidObject([]),
            options: limited,
            cost: first.cost
        )
        let error = #expect(throws: LiquidError.self) { try second.proceed() }
        #expect(error?.kind == .workLimit)
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    @Test("errors can be printed, left out or thrown")
    func errorStyles() throws {
        let template = try Template(parsing: "a{{ 1 | divided_by: 0 }}b")
        var options = options
        #expect(
            text(try template.render(LiquidObject([]), options: options))
                == "aLiquid error (line 1): divided by 0b"
        )
        options.errors = .inlineWithoutLines
        #expect(
            text(try template.render(LiquidObject([]), options: options))
                == "aLiquid error: divided by 0b"
        )
        options.errors = .omit
        guard case .rendered(let result) = try template.render(LiquidObject([]), options: options)
        else { return }
        #expect(result.text == "ab")
        #expect(result.errors.map(\.kind) == [.zeroDivision])
        #expect(result.errors.first?.column == 2)
        options.errors = .raise
        #expect(throws: LiquidError.self) {
            try template.render(LiquidObject([]), options: options)
        }
    }

    @Test("a render may insist on variables and filters that exist")
    func strictness() throws {
        var options = options
        options.errors = .raise
        options.isStrictAboutVariables = true
        let variable = try Template(parsing: "{{ nope }}")
        #expect(throws: LiquidError.self) {
            try variable.render(LiquidObject([]), options: options)
        }
        options.isStrictAboutFilters = true
        let filter = try Template(parsing: "{{ 1 | nope }}")
        let error = #expect(throws: LiquidError.self) {
            try filter.render(LiquidObject([]), options: options)
        }
        #expect(error?.text == "Liquid error (line 1): undefined filter nope")
    }

    @Test("warn mode lists what it let pass")
    func warnings() throws {
        let template = try Template(parsing: "{{ a b }}", mode: .warn)
        #expect(template.warnings.count == 1)
        #expect(template.warnings.first?.kind == .syntax)
    }

    @Test("bytes that are not UTF-8 and sources too long are refused")
    func badSources() {
        #expect(throws: LiquidError.self) { try Template(parsing: [0x61, 0xFF]) }
        var limits = LiquidLimits()
        limits.sourceBytes = 3
        #expect(throws: LiquidError.self) { try Template(parsing: "abcd", limits: limits) }
    }

    @Test("hostile sources are parsed in time that grows with their length, not its square")
    func hostileSources() throws {
        let sources: [(before: String, repeated: String, count: Int, after: String)] = [
            ("", "{{ ${a} ", 15_000, ""),
            ("", "{% raw %}{{", 10_000, ""),
            ("{% assign ", "a", 125_000, " %}"),
            ("{% for a in b ", "x ", 50_000, "%}{% endfor %}"),
            ("{{ ", "[", 125_000, " }}"),
            ("{% if ", "a ", 50_000, "%}{% endif %}"),
            ("{% comment %}", "{{ x } ", 25_000, ""),
            ("{% comment %}", "{%%}", 50_000, ""),
            ("{% assign x = ", "{{", 75_000, " %}"),
            ("{{ ", "${", 75_000, " }}"),
            ("{% assign x = ", "${", 75_000, " %}"),
            ("{% case ", "[", 125_000, "] %}{% endcase %}"),
            ("{% connected_content ", "{{", 75_000, " %}"),
        ]
        for source in sources {
            let growth = Growth.ofFourTimes(source.count) { count in
                let middle = String(repeating: source.repeated, count: count)
                _ = try? Template(parsing: source.before + middle + source.after)
            }
            #expect(growth < 10, "\(source.before)\(source.repeated)")
        }
        let names = Growth.ofFourTimes(7_500) { count in
            let source = (0..<count).map { "{{content_blocks.${a\($0)}}}" }.joined()
            _ = try? Template(parsing: source)
        }
        #expect(names < 10)
    }
}
