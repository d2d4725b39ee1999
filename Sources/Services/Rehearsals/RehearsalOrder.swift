import Foundation
import Model

/// A rehearsal that somebody asks a running server for.
package struct RehearsalOrder: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case campaign, journey
        /// Nothing is started: it is about what one person gets.
        case person
    }

    package let workspace: WorkspaceID
    package let kind: Kind
    /// The identifier of the campaign, journey or person.
    package let subject: UUID
    /// Of a person, as rows name it.
    package let name: String
    package var from: Date
    package var days: Int
    package var seed: UInt64

    package init(
        _ kind: Kind,
        _ subject: UUID,
        name: String,
        in workspace: WorkspaceID,
        from: Date,
        days: Int,
        seed: UInt64
    ) {
        self.kind = kind
        self.subject = subject
        self.name = name
        self.workspace = workspace
        self.from = from
        self.days = days
        self.seed = seed
    }

    var settings: RehearsalSettings {
        RehearsalSettings(
            from: from,
            days: days,
            seed: seed,
            starts: kind == .person ? .nothing : .only(subject.uuidString.lowercased())
        )
    }
}

/// A rehearsal that was asked for, and how far it is.
package struct OrderedRehearsal: Sendable, Codable {
    package enum State: Sendable, Codable {
        /// Until which moment it was played; `nil` while the database is copied and read.
        case playing(until: Date?)
        case done(RehearsalResult)
        case failed(RehearsalError)
    }

    package let order: RehearsalOrder
    package let askedBy: String
    package let askedAt: Date
    package var state: State
    /// What the person gets and does not; empty for others.
    package var rows: [RehearsalRow] = []

    /// The part of the days that was played, from 0 to 1.
    package var share: Double {
        guard case .playing(let moment?) = state else { return 0 }
        let whole = order.settings.end.timeIntervalSince(order.from)
        return min(1, max(0, moment.timeIntervalSince(order.from) / whole))
    }

    package var isPlaying: Bool { if case .playing = state { true } else { false } }
}

/// Why a rehearsal of a running server has no result.
package enum RehearsalError: Error, Sendable, Hashable, Codable {
    case stopped
    case tooLong(seconds: Int)
    /// The campaign or journey is not there any more.
    case gone
    case broken
    /// The server that played it does not work any more.
    case left
}
