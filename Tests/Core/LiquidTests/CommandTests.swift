import Liquid
import Testing

@Suite("Trying a template from the command line")
struct CommandTests {
    private func run(_ template: String, _ data: String = "{}") -> LiquidCommand.Result {
        LiquidCommand.render(
            template: template,
            named: "welcome.liquid",
            data: Array(data.utf8),
            now: LiquidTime(seconds: 0)
        )
    }

    @Test("variables and attributes come from the data")
    func data() {
        let result = run(
            "{{${first_name}}} {{ n | plus: 1 }}",
            #"{"profile":{"first_name":"Aya"},"n":1}"#
        )
        #expect(result.text == "Aya 2")
        #expect(result.isSuccess)
    }

    @Test("an error points at its line and column")
    func caret() {
        let result = run("Hello\n\tdear {{ 1 | divided_by: 0 }}!")
        #expect(
            result.text == """
                welcome.liquid:2:7: Liquid error: divided by 0
                \tdear {{ 1 | divided_by: 0 }}!
                \t     ^
                """
        )
        #expect(!result.isSuccess)
    }

    @Test("a syntax error points at the tag")
    func syntaxError() {
        #expect(
            run("a {% nope %}").text == """
                welcome.liquid:1:6: Liquid syntax error: Unknown tag 'nope'
                a {% nope %}
                     ^
                """
        )
    }

    @Test("data that is no JSON is refused with its place")
    func badData() {
        #expect(run("a", "{\n 'x'}").text == "data:2:2: a name in quotes was expected")
    }

    @Test("an aborted message says so")
    func aborted() {
        #expect(run("{% abort_message('quiet hours') %}").text == "aborted: quiet hours")
    }
}
