import NoroshiWire

/// An interactive pattern: pairs of cards face down, two of which the user turns over at a time.
public struct NoroshiMatchGame: Sendable, Equatable {
    /// A card.
    public struct Card: Sendable, Equatable {
        /// The face of the card; two cards have the same.
        public let face: String
        /// Whether the card is face up.
        public internal(set) var isFaceUp = false
        /// Whether its partner was found.
        public internal(set) var isMatched = false
    }

    /// The result of a tap.
    public enum Turn: Sendable, Equatable {
        /// No effect: the card is already face up, or the game is over.
        case ignored
        /// The first card of a pair is face up.
        case first
        /// The two cards match.
        case matched
        /// The two cards differ; `closeMismatch()` turns them back.
        case mismatched
    }

    /// The cards in their layout order.
    public private(set) var cards: [Card]
    /// Number of pairs turned over so far.
    public private(set) var moves = 0

    /// A shuffled game with two cards of each of `faces`.
    public init(faces: [String], random: inout some RandomNumberGenerator) {
        cards = (faces + faces).map { Card(face: $0) }.shuffled(using: &random)
    }

    /// Whether all pairs are found.
    public var isSolved: Bool { !cards.isEmpty && cards.allSatisfy(\.isMatched) }

    /// Turns over the card at `index`. An open mismatch is closed first.
    public mutating func turn(_ index: Int) -> Turn {
        guard cards.indices.contains(index), !cards[index].isMatched else { return .ignored }
        if openIndices.count == 2 { closeMismatch() }
        guard !cards[index].isFaceUp else { return .ignored }
        cards[index].isFaceUp = true
        let open = openIndices
        guard open.count == 2 else { return .first }
        moves += 1
        guard cards[open[0]].face == cards[open[1]].face else { return .mismatched }
        for position in open { cards[position].isMatched = true }
        return .matched
    }

    /// Turns two differing cards face down again.
    public mutating func closeMismatch() {
        let open = openIndices
        guard open.count == 2 else { return }
        for position in open { cards[position].isFaceUp = false }
    }

    /// The record of a finished game: an event with the number of moves.
    public func result(eventName: String = "match_game_won") -> [NoroshiPatternEffect] {
        guard isSolved else { return [] }
        return [.event(name: eventName, properties: ["moves": .integer(Int64(moves))])]
    }

    private var openIndices: [Int] {
        cards.indices.filter { cards[$0].isFaceUp && !cards[$0].isMatched }
    }
}
