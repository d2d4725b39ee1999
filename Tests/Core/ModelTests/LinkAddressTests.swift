import Model
import Testing

@Suite("What a tap opens")
struct LinkAddressTests {
    @Test(
        "a scheme that an app can open is followed by something",
        arguments: [
            "https://example.com/tea", "myapp://shop/1?a=b", "mailto:ada@example.com",
            "tel:+81312345678",
            "a:b", "x-app+1.0:/", "HTTPS://EXAMPLE.COM", "https://example.com/{{item}}",
        ]
    )
    func openable(text: String) {
        #expect(LinkAddress.isOpenable(text))
        #expect(LinkAddress.mayBeOpenable(text))
    }

    @Test(
        "what has no scheme, runs in a page, or has a second line is no address",
        arguments: [
            "", "example.com", "/tea", "https:", ":", "1app://x", "my app://x", "mÿapp://x",
            "javascript:alert(1)", "JavaScript:alert(1)", "vbscript:x", "data:text/html,x",
            "https://example.com/\nBcc: x", " https://example.com", "{ {x}}",
        ]
    )
    func notOpenable(text: String) {
        #expect(!LinkAddress.isOpenable(text))
        #expect(!LinkAddress.mayBeOpenable(text))
    }

    @Test(
        "a template says its address later",
        arguments: ["{{ link }}", "{% if a %}https://a.example{% endif %}"]
    )
    func templates(text: String) {
        #expect(LinkAddress.mayBeOpenable(text))
        #expect(!LinkAddress.isOpenable(text))
    }
}
