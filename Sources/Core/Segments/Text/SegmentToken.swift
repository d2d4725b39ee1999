/// A piece of a segment's text form.
struct SegmentToken: Hashable {
    enum Kind: Hashable {
        case word(String)
        case quoted(String)
        case number(Double)
        /// A whole number that a floating-point number cannot represent.
        case integer(Int64)
        /// A date or a time, in Unix seconds.
        case time(TimePoint)
        case symbol(String)
        case end
    }

    let kind: Kind
    let range: Range<Int>
}
