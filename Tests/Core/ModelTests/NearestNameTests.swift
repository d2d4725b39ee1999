import Model
import Testing

@Suite("The nearest name")
struct NearestNameTests {
    @Test(
        "is one that somebody may have meant",
        arguments: [
            ("planx", "plan"), ("city", "home_city"), ("frist_name", "first_name"),
            ("Plan", "plan"), ("x", nil), ("nosuch", nil), ("", nil), ("plan", nil),
        ]
    )
    func nearest(name: String, expected: String?) {
        let names = ["first_name", "plan", "home_city", "last_seen"]
        #expect(NearestName.of(name, among: names) == expected)
    }
}
