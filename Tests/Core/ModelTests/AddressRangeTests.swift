import Model
import Testing

@Suite("Ranges of addresses")
struct AddressRangeTests {
    @Test(
        "an address is in a range when the range's bits are equal",
        arguments: [
            ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("192.168.1.7", "192.168.1.7", true), ("192.168.1.7", "192.168.1.8", false),
            ("192.168.1.128/25", "192.168.1.200", true),
            ("192.168.1.128/25", "192.168.1.100", false),
            ("2001:db8::/32", "2001:db8:1::1", true), ("2001:db8::/32", "2001:db9::1", false),
            ("::1", "0:0:0:0:0:0:0:1", true), ("fe80::/10", "fe80::1%eth0", true),
            ("127.0.0.0/8", "::ffff:127.0.0.1", true), ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "8.8.8.8", true),
            ("10.0.0.0/8", "nowhere", false), ("10.0.0.0/8", "", false),
        ]
    )
    func contains(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(address) == isIn)
    }

    @Test(
        "what is no range is refused",
        arguments: [
            "", "10.0.0", "10.0.0.256", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "::1::2",
            "1:2:3:4:5:6:7:8:9", "2001:db8::/129", "host", "12345::", "1.2.3.4:5", "10.0.0.1e1",
        ]
    )
    func refuses(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
