/// A page of a list. Its number and size are clamped, so that arithmetic on them cannot overflow,
/// whatever a request contains.
package struct ListPage: Sendable, Hashable {
    package static let numbers = 1...1_000_000
    package static let sizes = 1...1_000

    /// From 1.
    package let number: Int
    /// Number of rows of a full page.
    package let size: Int

    /// A page; a number or size out of bounds is clamped.
    package init(_ number: Int = 1, size: Int) {
        self.number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound)
        self.size = min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound)
    }

    /// The page that a request names; the first if it names none.
    package init(named text: String, size: Int) {
        self.init(Int(text) ?? 1, size: size)
    }

    package var isFirst: Bool { number == 1 }

    /// Number of rows before the page.
    package var offset: Int { (number - 1) * size }

    package var previous: ListPage? { isFirst ? nil : ListPage(number - 1, size: size) }
    package var next: ListPage { ListPage(number + 1, size: size) }

    /// Whether rows follow the page if there are `total` rows.
    package func hasMore(of total: Int) -> Bool { offset + size < total }
}
