import Model
import Testing

@Suite("Pages of lists")
struct ListPageTests {
    @Test(
        "whatever an address says is a page whose place can be counted",
        arguments: [
            ("1", 1), ("7", 7), ("", 1), ("x", 1), ("-1", 1), ("0", 1), ("1e3", 1),
            ("9223372036854775807", 1_000_000), ("184467440737095517", 1_000_000),
            ("-9223372036854775808", 1), ("92233720368547758079", 1), ("1000001", 1_000_000),
        ]
    )
    func named(text: String, number: Int) {
        let page = ListPage(named: text, size: 25)
        #expect(page.number == number)
        #expect(page.offset == (number - 1) * 25)
        #expect(page.next.number == min(number + 1, 1_000_000))
        #expect(page.previous?.number == (number == 1 ? nil : number - 1))
    }

    @Test("a size is bounded too")
    func sizes() {
        #expect(ListPage(2, size: .max).offset == 1_000)
        #expect(ListPage(2, size: .min).offset == 1)
    }

    @Test("there is more when rows follow the page")
    func more() {
        #expect(!ListPage(1, size: 25).hasMore(of: 25))
        #expect(ListPage(1, size: 25).hasMore(of: 26))
        #expect(!ListPage(2, size: 25).hasMore(of: 50))
    }
}
