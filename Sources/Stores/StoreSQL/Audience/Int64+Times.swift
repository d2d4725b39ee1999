import Segments

extension Int64 {
    /// Milliseconds of a time in seconds, clamped to 64 bits.
    var millisecondsFromSeconds: Int64 { multipliedSaturated(by: 1_000) }

    /// Whole seconds of a time in milliseconds, rounded down.
    var secondsFromMilliseconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
