import NoroshiWire

/// An interactive pattern: pairs of cards face down, of which the user turns two at a time.
public struct NoroshiMatchGame: Sendable, Equatable {
    /// A card on the table.
    public struct Card: Sendable, Equatable {
        /// What its face shows; two cards have the same.
        public let face: String
        /// Whether the face is seen.
        public internal(set) var isFaceUp = false
        /// Whether its partner was found.
        public internal(set) var isMatched = false
    }

    /// What a tap did.
    public enum Turn: Sendable, Equatable {
        /// Nothing: the card lies open already, or the game is over.
        case ignored
        /// The first card of a pair is open.
        case first
        /// The two open cards match.
        case matched
        /// They differ; `closeMismatch()` turns them back once they were seen.
        case mismatched
    }

    /// The cards in the order they lie.
    public private(set) var cards: [Card]
    /// Pairs of cards turned so far.
    public private(set) var moves = 0

    /// A game with two cards of each of `faces`, mixed by `random`.
    public init(faces: [String], random: inout some RandomNumberGenerator) {
        cards = (faces + faces).map { Card(face: $0) }.shuffled(using: &random)
    }

    /// Whether all pairs are found.
    public var isSolved: Bool { !cards.isEmpty && cards.allSatisfy(\.isMatched) }

    /// Turns the card at `index`. A mismatch that is still open is closed first.
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

    /// Turns two open cards that differ face down again.
    public mutating func closeMismatch() {
        let open = openIndices
        guard open.count == 2 else { return }
        for position in open { cards[position].isFaceUp = false }
    }

    /// What to record when the game is over: an event with the number of moves.
    public func result(eventName: String = "match_game_won") -> [NoroshiPatternEffect] {
        guard isSolved else { return [] }
        return [.event(name: eventName, properties: ["moves": .integer(Int64(moves))])]
    }

    private var openIndices: [Int] {
        cards.indices.filter { cards[$0].isFaceUp && !cards[$0].isMatched }
    }
}
