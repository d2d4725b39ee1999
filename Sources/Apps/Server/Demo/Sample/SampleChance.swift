/// Chance for a sample that is the same each time (SplitMix64, by Steele, Lea and Flood).
struct SampleChance {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to 1.
    mutating func share() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    mutating func happens(_ probability: Double) -> Bool { share() < probability }

    mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[number(below: choices.count)]
    }

    /// The bytes of an identifier.
    mutating func bytes() -> (UInt64, UInt64) { (next(), next()) }
}
