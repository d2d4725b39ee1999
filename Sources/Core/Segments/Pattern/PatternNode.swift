/// A regular expression's parsed form.
indirect enum PatternNode: Hashable, Sendable {
    enum Anchor: Hashable, Sendable {
        case start
        case end
        case wordBoundary
        case notWordBoundary
    }

    case empty
    case scalars(ScalarSet)
    case anchor(Anchor)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// `most` is `nil` for an unlimited repetition.
    case repeated(PatternNode, least: Int, most: Int?)
}
