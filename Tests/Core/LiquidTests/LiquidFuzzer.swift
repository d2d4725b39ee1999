// The fuzzer compiles this file together with the engine, as one module.
#if !FUZZING
import Liquid
#endif

/// One fuzzed render, also used by the test that replays the corpus.
enum LiquidFuzzer {
    static func run(choice: UInt8, template source: [UInt8]) {
        let modes: [Template.Mode] = [.lax, .warn, .strict, .strict2]
        let mode = modes[Int(choice & 3)]
        let dialect: Template.Dialect = choice & 4 == 0 ? .messaging : .standard
        var limits = LiquidLimits()
        limits.outputBytes = 1 << 16
        limits.steps = 20_000
        limits.elements = 10_000
        do throws(LiquidError) {
            let template = try Template(
                parsing: source,
                mode: mode,
                dialect: dialect,
                limits: limits
            )
            var options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }
            options.limits = limits
            options.templates = Partials(limits: limits)
            let outcome = try template.render(variables, options: options) { question in
                switch question {
                case .connectedContent:
                    .connectedContent(
                        ConnectedContentResponse(
                            status: 200,
                            body: Array(#"{"a":[1,{"b":"c"}]}"#.utf8)
                        )
                    )
                case .catalogItems(let request):
                    .catalogItems(request.ids.map { .string($0) })
                case .catalogSelection(let request):
                    .catalogItems([.string(request.catalog), .string(request.selection)])
                }
            }
            if case .rendered(let result) = outcome {
                // What one node may add after the limit was last looked at.
                precondition(result.bytes.count <= 2 * limits.outputBytes, "limit escaped")
            }
        } catch {}
    }

    private static let variables: LiquidObject = {
        let json = #"""
            {"s": "Hello World", "n": 5, "f": 3.75, "a": [3, 1, 2], "h": {"k": "v", "n": null},
            "l": [{"t": "x", "p": 2}, {"t": "y"}], "d": "2026-07-04 18:30:00 UTC", "t": true,
            "custom_attribute": {"zip code": "12345"}, "first_name": "Zoe", "u": "äß日本"}
            """#
        guard case .object(let object)? = try? LiquidJSON.parse(Array(json.utf8)) else {
            preconditionFailure("the fuzzer's data is JSON")
        }
        return object
    }()

    private struct Partials: LiquidTemplateLoader {
        let limits: LiquidLimits

        func template(named name: String) throws(LiquidError) -> Template? {
            switch name {
            case "p": try Template(parsing: "[{{ p }}{{ s }}{{ forloop.index }}]", limits: limits)
            case "r": try Template(parsing: "{% render 'r' %}", limits: limits)
            case "i": try Template(parsing: "{% include 'i' %}{{ s }}", limits: limits)
            default: nil
            }
        }
    }
}
