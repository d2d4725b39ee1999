import Liquid
import Testing

/// What a template may cost does not depend on how it spends it. The limits here are small, so that
/// a path that is not counted shows as a render that goes through, or that never ends.
@Suite("The cost of a render", .timeLimit(.minutes(20)))
struct CostTests {
    private static let loop = "{% for i in (1..1000000) %}"
    /// 4,096 bytes in `x`.
    private static let text =
        "{% assign x = 'abcdefgh' %}{% for i in (1..9) %}{% assign x = x | append: x %}{% endfor %}"
    /// 4,096 elements in `l`, texts of one letter.
    private static let list = text + "{% assign l = x | split: '' %}"
    /// A hash that is small to keep and endless to walk through.
    private static let bush =
        "{% for i in (1..60) %}{% assign h = nil | default: a: h, b: h %}{% endfor %}"

    static let hostile: [(name: String, template: String)] =
        [
            (
                "a capture of itself",
                loop + "{% capture x %}{{ x }}aaaaaaaaaaaaaaaa{% endcapture %}{% endfor %}"
            ),
            (
                "text printed and thrown away",
                text + loop + "{% capture y %}{{ x }}{% endcapture %}{% endfor %}"
            ),
            (
                "plain text of the template",
                loop + "{% capture y %}" + String(repeating: "a", count: 5000)
                    + "{% endcapture %}{% endfor %}"
            ),
            (
                "raw text",
                loop + "{% capture y %}{% raw %}" + String(repeating: "a", count: 5000)
                    + "{% endraw %}{% endcapture %}{% endfor %}"
            ),
            (
                "ifchanged",
                text + loop
                    + "{% capture y %}{% ifchanged %}{{ x }}{% endifchanged %}{% endcapture %}{% endfor %}"
            ),
            (
                "equality of texts",
                text + "{% assign y = x | append: '' %}" + loop
                    + "{% if x == y %}{% endif %}{% endfor %}"
            ),
            (
                "order of texts",
                text + "{% assign y = x | append: '' %}" + loop
                    + "{% if x < y %}{% endif %}{% endfor %}"
            ),
            (
                "contains in a text",
                text + loop + "{% if x contains 'hhh' %}{% endif %}{% endfor %}"
            ),
            (
                "contains in a list",
                list + loop + "{% if l contains 'zzz' %}{% endif %}{% endfor %}"
            ),
            (
                "blank",
                "{% assign x = '        ' %}{% for i in (1..9) %}{% assign x = x | append: x %}{% endfor %}"
                    + loop + "{% if x == blank %}{% endif %}{% endfor %}"
            ),
            (
                "case",
                text + "{% assign y = x | append: '' %}" + loop
                    + "{% case x %}{% when y, y, y %}{% endcase %}{% endfor %}"
            ),
            ("length of a text", text + loop + "{% if x.size == 3 %}{% endif %}{% endfor %}"),
            (
                "equality of lists",
                list + "{% assign m = l | reverse %}" + loop
                    + "{% if l == l %}{% endif %}{% endfor %}"
            ),
            (
                "hashes that share parts",
                bush + "{% assign k = h %}" + bush + "{% if h == k %}{% endif %}"
            ),
            (
                "a hash made of such hashes",
                bush + loop + "{% assign k = nil | default: a: h, b: h %}{% endfor %}"
            ),
            (
                "such a hash printed",
                bush + loop + "{% capture y %}{{ h }}{% endcapture %}{% endfor %}"
            ),
            (
                "such a hash as JSON",
                bush + loop + "{% assign y = h | as_json_string | truncate: 3 %}{% endfor %}"
            ),
            (
                "many filters in one output",
                loop + "{{ 1" + String(repeating: " | abs", count: 5000)
                    + " | truncate: 0, '' }}{% endfor %}"
            ),
            (
                "many conditions in one tag",
                loop + "{% if a" + String(repeating: " or a", count: 5000)
                    + " %}{% endif %}{% endfor %}"
            ),
            (
                "many branches",
                loop + "{% if a %}" + String(repeating: "{% elsif a %}", count: 2000)
                    + "{% endif %}{% endfor %}"
            ),
            (
                "many names",
                (0..<3000).map { "{% assign v\($0) = 1 %}" }.joined() + loop
                    + "{{ v0 | truncate: 0, '' }}{% endfor %}"
            ),
            (
                "many counters",
                (0..<3000).map { "{% capture y %}{% increment v\($0) %}{% endcapture %}" }.joined()
                    + loop + "{% capture y %}{% increment v2999 %}{% endcapture %}{% endfor %}"
            ),
            (
                "many cycles",
                (0..<3000).map { "{% capture y %}{% cycle 'v\($0)': 1, 2 %}{% endcapture %}" }
                    .joined() + loop
                    + "{% capture y %}{% cycle 'v2999': 1, 2 %}{% endcapture %}{% endfor %}"
            ),
            (
                "long numbers",
                "{% assign n = 9 %}{% for i in (1..10) %}{% assign n = n | times: n %}{% endfor %}"
                    + loop + "{% assign m = n | modulo: 7 %}{% endfor %}"
            ),
            (
                "long numbers printed",
                "{% assign n = 9 %}{% for i in (1..10) %}{% assign n = n | times: n %}{% endfor %}"
                    + loop + "{% capture y %}{{ n }}{% endcapture %}{% endfor %}"
            ),
            (
                "long numbers compared",
                "{% assign n = 9 %}{% for i in (1..10) %}{% assign n = n | times: n %}{% endfor %}"
                    + loop + "{% if n > 1.5 %}{% endif %}{% endfor %}"
            ),
            (
                "wide dates",
                loop
                    + "{% assign y = 0 | date: '%1024d%1024d%1024d%1024d' | truncate: 3 %}{% endfor %}"
            ),
            ("dates", loop + "{% assign y = '4 July 2026 18:30' | date: '%c' %}{% endfor %}"),
            (
                "errors",
                "{% comment %}" + String(repeating: "a", count: 5000) + "{% endcomment %}" + loop
                    + "{% assign y = 1 | divided_by: 0 %}{% endfor %}"
            ),
            (
                "the words of a long option",
                text + loop + "{% message_extras :key a :value {{ x | truncate: 1 }} %}{% endfor %}"
            ),
        ]
        + [
            "upcase", "downcase", "capitalize", "strip", "squish", "strip_newlines",
            "newline_to_br",
            "replace: 'a', 'b'", "replace: '', ''", "replace_first: 'a', 'b'",
            "replace_last: 'a', 'b'",
            "remove: 'a'", "truncate: 5", "truncatewords: 5", "append: 'a'", "prepend: 'a'",
            "slice: 5",
            "split: 'a'", "split: ''", "size", "escape", "escape_once", "strip_html", "url_encode",
            "url_decode", "base64_encode", "md5", "sha1", "sha256", "sha512", "hmac_sha256: x",
            "json_escape", "as_json_string", "url_escape", "url_param_escape", "plus: 1",
            "number_with_delimiter", "date: '%c'", "date: x", "default: x", "times: x",
        ].map { ("\($0)", text + loop + "{% assign y = x | \($0) %}{% endfor %}") }
        + [
            "join", "reverse", "concat: l", "compact", "uniq", "map: 'a'", "sort", "sort_natural",
            "sum", "where: 'a'", "reject: 'a'", "find: 'z'", "has: 'z'", "find_index: 'z'",
            "slice: 1, 9",
            "as_json_string", "truncate: 3",
        ].map { ("\($0) of a list", list + loop + "{% assign y = l | \($0) %}{% endfor %}") }

    @Test("every way to take time reaches the limit of work", arguments: hostile.indices)
    func isCounted(index: Int) throws {
        let (name, source) = Self.hostile[index]
        let template = try Template(parsing: source, mode: .strict)
        var options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }
        options.errors = name == "errors" ? .omit : .raise
        options.limits.steps = 200_000
        // Far more than so many steps may take, on any machine: a path that is not counted takes
        // hours.
        let error = #expect(throws: LiquidError.self, "\(name)") {
            try template.render(LiquidObject([]), options: options)
        }
        let kinds: [LiquidError.Kind] = [.workLimit, .limit]
        #expect(kinds.contains(error?.kind ?? .syntax), "\(name): \(error?.text ?? "")")
    }

    @Test("a list sorted by long equal texts is counted comparison by comparison")
    func sorting() throws {
        let source =
            Self.text
            + "{% assign l = '' | split: '' %}{% assign one = 'a' | replace: 'a', x | split: '|' %}"
            + "{% for i in (1..12) %}{% assign one = one | concat: one %}{% endfor %}"
            + "{% assign y = one | sort %}"
        let template = try Template(parsing: source, mode: .strict)
        var options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }
        options.errors = .raise
        options.limits.steps = 500_000
        let error = #expect(throws: LiquidError.self) {
            try template.render(LiquidObject([]), options: options)
        }
        #expect(error?.kind == .workLimit)
    }

    @Test("a filter cannot make a text larger than the limit, whatever its arguments")
    func oneLargeText() throws {
        let grow = "{% for i in (1..18) %}{% assign x = x | append: x %}{% endfor %}"
        for call in [
            "number_with_delimiter: x", "truncate: 1, x | append: x | append: x",
            "date: f",
        ] {
            let source =
                "{% assign x = '12345678' %}" + grow
                + "{% assign f = '%1024d' %}{% for i in (1..13) %}{% assign f = f | append: f %}"
                + "{% endfor %}{% assign y = x | \(call) %}{{ y | size }}"
            let template = try Template(parsing: source, mode: .strict)
            var options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }
            options.errors = .raise
            options.limits.steps = 50_000_000
            guard
                case .rendered(let result)? = try? template.render(
                    LiquidObject([]),
                    options: options
                )
            else { continue }
            #expect((Int(result.text) ?? 0) <= options.limits.outputBytes, "\(call)")
        }
    }
}
