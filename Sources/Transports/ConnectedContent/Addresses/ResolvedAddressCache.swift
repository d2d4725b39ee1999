import Foundation
import Model
import Reasons
import Synchronization

/// The permitted addresses, by host. A name is resolved again when its result has expired, and
/// every result is checked again.
final class ResolvedAddressCache: Sendable {
    enum Entry: Sendable {
        case address(IPAddress)
        /// No address of the host may be called: the reason for the author of the template, and
        /// `details` with the resolved address for the log.
        case refused(Reason, details: String)
        case unknown
    }

    private struct Known {
        let addresses: [IPAddress]
        let until: Date
    }

    private static let limit = 1000

    private let resolver: any NameResolver
    private let settings: ConnectedContentSettings
    private let now: @Sendable () -> Date
    private let known = Mutex<[String: Known]>([:])

    init(
        resolver: any NameResolver,
        settings: ConnectedContentSettings,
        now: @escaping @Sendable () -> Date
    ) {
        self.resolver = resolver
        self.settings = settings
        self.now = now
    }

    /// The address to connect to.
    func entry(for target: ContentAddress) async throws -> Entry {
        let addresses: [IPAddress]
        if let literal = IPAddress(target.host) {
            addresses = [literal]
        } else {
            addresses = try await self.addresses(of: target.host)
        }
        var objection: (reason: Reason, details: String)?
        let isName = IPAddress(target.host) == nil
        for address in addresses {
            if settings.allowed.allows(address, of: target.host, port: target.port) {
                return .address(address)
            }
            if let network = PublicNetwork.objection(to: address) {
                let details = "\(target.host) is at \(address), which is \(network.rawValue)"
                var arguments: [String: Reason.Argument] = [
                    "host": .text(target.host), "setting": .text(settings.allowSetting),
                ]
                // Not every member who can write a template may learn where a name leads inside the
                // network.
                if !isName { arguments["network"] = .reason(Reason(network)) }
                let code: ContentCallReason = isName ? .notPublic : .notPublicAddress
                objection = (Reason(code, arguments), details)
            } else if target.port != 80, target.port != 443 {
                let reason = Reason(
                    ContentCallReason.port,
                    ["port": "\(target.port)", "setting": .text(settings.allowSetting)]
                )
                objection = (reason, reason.description)
            } else {
                return .address(address)
            }
        }
        return objection.map { .refused($0.reason, details: $0.details) } ?? .unknown
    }

    private func addresses(of host: String) async throws -> [IPAddress] {
        let time = now()
        if let entry = known.withLock({ $0[host] }), entry.until > time { return entry.addresses }
        let addresses = try await resolver.addresses(of: host)
        known.withLock { known in
            if known.count >= Self.limit { known = known.filter { $0.value.until > time } }
            if known.count >= Self.limit { known.removeAll() }
            known[host] = Known(
                addresses: addresses,
                until: time.addingTimeInterval(Double(settings.addressSeconds))
            )
        }
        return addresses
    }
}
