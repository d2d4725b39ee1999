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
    /// Number of direct opens on each page of a push story, from the first page; empty without one.
    package var storyOpens: [Int]

    package init(
        platform: MessagePlatform,
        variant: Int,
        sent: Int,
        directOpens: Int,
        totalOpens: Int,
        bounces: Int,
        received: Int,
        storyOpens: [Int] = []
    ) {
        self.platform = platform
        self.variant = variant
        self.sent = sent
        self.directOpens = directOpens
        self.totalOpens = totalOpens
        self.bounces = bounces
        self.received = received
        self.storyOpens = storyOpens
    }

    /// Adds opens of a page, whose number is from 1.
    package mutating func addOpens(_ opens: Int, ofPage page: Int) {
        guard SDKRecord.PushInteraction.pages.contains(page) else { return }
        while storyOpens.count < page { storyOpens.append(0) }
        storyOpens[page - 1] += opens
    }

    /// Adds the counts of another text of the same variant.
    package mutating func add(_ other: VariantCounts) {
        sent += other.sent
        directOpens += other.directOpens
        totalOpens += other.totalOpens
        bounces += other.bounces
        received += other.received
        for (index, opens) in other.storyOpens.enumerated() {
            addOpens(opens, ofPage: index + 1)
        }
    }
}
