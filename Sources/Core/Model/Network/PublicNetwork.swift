/// The addresses of the public network. A host named by an outsider, such as the host of a
/// template's call or of a browser's subscription, must not lead to any other address: services
/// there trust their neighbors, including this server.
package enum PublicNetwork {
    /// IANA's special-purpose IPv4 blocks, multicast and reserved ones, and the public address at
    /// which a cloud provides metadata to its own machines.
    private static let closed: [(range: String, name: ContentCallReason)] = [
        ("0.0.0.0/8", .networkThisMachine), ("10.0.0.0/8", .networkPrivate),
        ("100.64.0.0/10", .networkCarrier), ("127.0.0.0/8", .networkThisMachine),
        ("169.254.0.0/16", .networkLinkLocal), ("172.16.0.0/12", .networkPrivate),
        ("192.0.0.0/24", .networkReserved), ("192.0.2.0/24", .networkDocumentation),
        ("192.88.99.0/24", .networkReserved), ("192.168.0.0/16", .networkPrivate),
        ("198.18.0.0/15", .networkMeasurements), ("198.51.100.0/24", .networkDocumentation),
        ("203.0.113.0/24", .networkDocumentation), ("224.0.0.0/4", .networkMulticast),
        ("240.0.0.0/4", .networkReserved), ("168.63.129.16", .networkCloud),
        // Parts of the public IPv6 block that lead elsewhere: Teredo and other protocols,
        // documentation, and embedded IPv4 addresses (6to4).
        ("2001::/23", .networkReserved), ("2001:db8::/32", .networkDocumentation),
        ("2002::/16", .networkDisguised), ("3fff::/20", .networkDocumentation),
    ]

    private static let ranges: [(range: AddressRange, name: ContentCallReason)] = closed.compactMap
    {
        entry in AddressRange(entry.range).map { ($0, entry.name) }
    }

    private static let publicIPv6 = AddressRange("2000::/3")
    /// IPv4 addresses as a network without IPv4 sees them (NAT64, RFC 6052).
    private static let translated = AddressRange("64:ff9b::/96")

    /// The kind of network that the address is of; `nil` if it is public.
    ///
    /// Only global unicast addresses are public in IPv6. A translated IPv4 address is judged by the
    /// IPv4 address in it. So mapped IPv4 addresses, loopback, unique local, link-local and
    /// multicast addresses need no list.
    package static func objection(to address: IPAddress) -> ContentCallReason? {
        if !address.isIPv4 {
            if let translated, translated.contains(address) {
                return objection(to: IPAddress(last4BytesOf: address))
            }
            if let publicIPv6, !publicIPv6.contains(address) { return .networkOther }
        }
        return ranges.first { $0.range.contains(address) }?.name
    }
}
