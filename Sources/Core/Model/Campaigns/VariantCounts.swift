import Foundation
import NoroshiWire

/// The counts of one variant on one platform.
package struct VariantCounts: Sendable, Hashable {
    package var platform: MessagePlatform
    package var variant: Int
    package var sent: Int
    package var directOpens: Int
    /// Direct and influenced opens.
    package var totalOpens: Int
    /// Number of messages rejected by the provider.
    package var bounces: Int
    package var received: Int

    package init(
        platform: MessagePlatform,
        variant: Int,
        sent: Int,
        directOpens: Int,
        totalOpens: Int,
        bounces: Int,
        received: Int
    ) {
        self.platform = platform
        self.variant = variant
        self.sent = sent
        self.directOpens = directOpens
        self.totalOpens = totalOpens
        self.bounces = bounces
        self.received = received
    }

    /// Adds the counts of another text of the same variant.
    package mutating func add(_ other: VariantCounts) {
        sent += other.sent
        directOpens += other.directOpens
        totalOpens += other.totalOpens
        bounces += other.bounces
        received += other.received
    }
}
