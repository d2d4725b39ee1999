import Model
import Testing

@Suite("The public network")
struct PublicNetworkTests {
    @Test(
        "addresses inside are told from addresses outside",
        arguments: [
            ("8.8.8.8", true), ("172.15.0.1", true), ("172.32.0.1", true),
            ("2a00:1450:4001::200e", true), ("10.0.0.1", false), ("127.0.0.1", false),
            ("169.254.169.254", false), ("172.16.0.1", false), ("192.168.1.1", false),
            ("100.64.0.1", false), ("0.0.0.0", false), ("224.0.0.1", false), ("::1", false),
            ("168.63.129.16", false), ("168.63.129.17", true), ("240.0.0.1", false),
            ("fe80::1", false), ("fc00::1", false), ("fd12::1", false), ("::ffff:10.0.0.1", false),
            ("::ffff:8.8.8.8", false), ("64:ff9b::7f00:1", false), ("64:ff9b::8.8.8.8", true),
            ("64:ff9b:1::8.8.8.8", false), ("2002:7f00:1::", false), ("2002:808:808::", false),
            ("2001::1", false), ("2001:db8::1", false), ("3fff::1", false), ("::", false),
        ]
    )
    func addresses(text: String, isPublic: Bool) throws {
        let address = try #require(IPAddress(text))
        #expect((PublicNetwork.objection(to: address) == nil) == isPublic)
    }

    @Test(
        "what readers of addresses do not agree on is none",
        arguments: [
            "", "1.2.3", "010.0.0.1", "10.0.0.01", "0x7f.0.0.1", "2130706433", "1.2.3.4.5",
            "::ffff:010.0.0.1", "fe80::1%eth0", "fcm.googleapis.com", "1.2.3.4:80", "[::1]",
            " 1.2.3.4", "1:2:3:4:5:6:7", "12345::",
        ]
    )
    func unread(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("an address has one form to connect to and one to compare")
    func forms() throws {
        let short = try #require(IPAddress("2001:DB8::1"))
        #expect(short.description == "2001:db8::1")
        #expect(short == IPAddress("2001:db8:0:0:0:0:0:1"))
        #expect(IPAddress("1.2.3.4") != IPAddress("::ffff:1.2.3.4"))
    }
}
