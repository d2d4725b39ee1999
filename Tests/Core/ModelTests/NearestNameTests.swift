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

    @Test(
        "is at most three letters away, and no name has over 100",
        arguments: [
            ("abcdefghijklmno", "abcdefghijkl123", "abcdefghijkl123"),
            ("abcdefghijklmno", "abcdefghijk1234", nil),
            (String(repeating: "a", count: 99) + "b", String(repeating: "a", count: 100), "a"),
            (String(repeating: "a", count: 100) + "b", String(repeating: "a", count: 101), nil),
            (String(repeating: "a", count: 100), String(repeating: "a", count: 101), nil),
        ]
    )
    func bounds(name: String, known: String, expected: String?) {
        let nearest = NearestName.of(name, among: [known])
        #expect(expected == "a" ? nearest == known : nearest == expected)
    }
}
