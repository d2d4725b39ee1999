/// A variable or property name with its hash, so that a scope is searched by comparing integers.
package struct LiquidName: Sendable, Hashable {
    package let text: String
    package let digest: UInt64

    package init(_ text: String) {
        self.text = text
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.digest = digest
    }

    package static func == (left: LiquidName, right: LiquidName) -> Bool {
        left.digest == right.digest && left.text == right.text
    }

    package func hash(into hasher: inout Hasher) {
        // Not the digest: names with equal digests are easy to construct, and would turn every
        // lookup in an object into a linear search.
        hasher.combine(text)
    }
}
