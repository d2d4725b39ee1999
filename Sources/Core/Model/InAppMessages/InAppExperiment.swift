import Foundation
import NoroshiWire

/// An in-app message's alternatives for comparison: other contents, and the control group.
package struct InAppExperiment: Sendable, Equatable, Codable {
    /// The `variant` of the control group, whose users are counted when they would have seen the
    /// message.
    package static let controlName = "control"
    /// The same for the workspace's control group, which sees no message: what would have been shown
    /// to it is in no figure of the message but one of its own.
    package static let withheldName = "withheld"

    /// The percentage of users in the control group.
    package var controlShare: Int
    /// The relative weights of the variants, the message's own first.
    package var weights: [Int]
    /// The contents of the other variants; their rules are those of the message itself.
    package var others: [InAppMessage]
    /// The identities of the variants, the message's own first. The store adds missing ones.
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
        // Missing in data stored by earlier versions.
        identities =
            try container.decodeIfPresent([InAppVariantIdentity].self, forKey: .identities) ?? []
    }

    /// Whether there is a control group or another variant.
    package var isRunning: Bool { controlShare > 0 || !others.isEmpty }

    /// The number under which devices report the variant at an index.
    package func number(ofVariantAt index: Int) -> Int {
        identities.indices.contains(index) ? identities[index].number ?? index : index
    }
}

/// The identity of a variant of an in-app message.
package struct InAppVariantIdentity: Sendable, Hashable, Codable {
    /// Kept when the text changes.
    package var id: UUID
    /// The number of the current text: assigned by the store, and never reused for another text of
    /// the message once devices received it.
    package var number: Int?

    package init(id: UUID, number: Int? = nil) {
        self.id = id
        self.number = number
    }
}

/// A current or former content of a message, under its own number, so that counts stay with the
/// content that users saw.
package struct InAppVariantRecord: Sendable, Hashable {
    package var number: Int
    /// Shared by all contents of one variant.
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
