/// The addresses of the public network. A host named by an outsider, such as the host of a
/// template's call or of a browser's subscription, must not lead to any other address: services
/// there trust their neighbors, including this server.
package enum PublicNetwork {
    /// IANA's special-purpose IPv4 blocks, multicast and reserved ones, and the public address at
    /// which a cloud provides metadata to its own machines.
    private static let closed: [(range: String, name: String)] = [
        ("0.0.0.0/8", "this machine"), ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a carrier"), ("127.0.0.0/8", "this machine"),
        ("169.254.0.0/16", "link-local"), ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"), ("192.0.2.0/24", "for documentation"),
        ("192.88.99.0/24", "reserved"), ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "for measurements"), ("198.51.100.0/24", "for documentation"),
        ("203.0.113.0/24", "for documentation"), ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"), ("168.63.129.16", "a cloud's own"),
        // Parts of the public IPv6 block that lead elsewhere: Teredo and other protocols,
        // documentation, and embedded IPv4 addresses (6to4).
        ("2001::/23", "reserved"), ("2001:db8::/32", "for documentation"),
        ("2002::/16", "an IPv4 address in disguise"), ("3fff::/20", "for documentation"),
    ]

    private static let ranges: [(range: AddressRange, name: String)] = closed.compactMap {
        entry in AddressRange(entry.range).map { ($0, entry.name) }
    }

    private static let publicIPv6 = AddressRange("2000::/3")
    /// IPv4 addresses as a network without IPv4 sees them (NAT64, RFC 6052).
    private static let translated = AddressRange("64:ff9b::/96")

    /// The reason why the address is not public; `nil` if it is.
    ///
    /// Only global unicast addresses are public in IPv6. A translated IPv4 address is judged by the
    /// IPv4 address in it. So mapped IPv4 addresses, loopback, unique local, link-local and
    /// multicast addresses need no list.
    package static func objection(to address: IPAddress) -> String? {
        if !address.isIPv4 {
            if let translated, translated.contains(address) {
                return objection(to: IPAddress(last4BytesOf: address))
            }
            if let publicIPv6, !publicIPv6.contains(address) { return "not public" }
        }
        return ranges.first { $0.range.contains(address) }?.name
    }
}
