/// A piece of a segment's text form.
struct SegmentToken: Hashable {
    enum Kind: Hashable {
        case word(String)
        case quoted(String)
        case number(Double)
        /// The digits of a whole number that a floating-point number cannot hold, with either sign.
        case integer(UInt64)
        /// A date or a moment, in Unix seconds.
        case time(TimePoint)
        case symbol(String)
        case end
    }

    let kind: Kind
    let range: Range<Int>
}
