import Foundation
import NoroshiWire

/// What an in-app message is compared with: other contents, and nothing at all.
package struct InAppExperiment: Sendable, Equatable, Codable {
    /// The `variant` of users who get nothing and are counted where they would have seen it.
    package static let controlName = "control"

    /// The share of users, in per cent, who get nothing.
    package var controlShare: Int
    /// Of the variants relative to one another, the message's own first.
    package var weights: [Int]
    /// The contents of the variants after the first; their rules are those of the first.
    package var others: [InAppMessage]
    /// What the variants are known by, the message's own first. The store gives what is missing.
    package var identities: [InAppVariantIdentity]

    package init(
        controlShare: Int = 0,
        weights: [Int] = [1],
        others: [InAppMessage] = [],
        identities: [InAppVariantIdentity] = []
    ) {
        self.controlShare = controlShare
        self.weights = weights
        self.others = others
        self.identities = identities
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        controlShare = try container.decode(Int.self, forKey: .controlShare)
        weights = try container.decode([Int].self, forKey: .weights)
        others = try container.decode([InAppMessage].self, forKey: .others)
        // Not there in what earlier versions stored.
        identities =
            try container.decodeIfPresent([InAppVariantIdentity].self, forKey: .identities) ?? []
    }

    /// Whether there is anything to compare.
    package var isRunning: Bool { controlShare > 0 || !others.isEmpty }

    /// What devices report the variant at a place as.
    package func number(ofVariantAt index: Int) -> Int {
        identities.indices.contains(index) ? identities[index].number ?? index : index
    }
}

/// What a variant of an in-app message is known by.
package struct InAppVariantIdentity: Sendable, Hashable, Codable {
    /// It stays when the text changes.
    package var id: UUID
    /// Of the present text: given by the store, and never to another text of the message once
    /// devices had it.
    package var number: Int?

    package init(id: UUID, number: Int? = nil) {
        self.id = id
        self.number = number
    }
}

/// One content that a message has, or has had, under a number of its own: what was measured stays
/// with what people saw.
package struct InAppVariantRecord: Sendable, Hashable {
    package var number: Int
    /// Shared by the contents that one variant has had.
    package var id: UUID
    package var header: String
    package var text: String

    package init(number: Int, id: UUID, header: String, text: String) {
        self.number = number
        self.id = id
        self.header = header
        self.text = text
    }
}
