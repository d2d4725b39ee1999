/// The fixed number from 0 to 9999 that divides users at random.
///
/// It depends only on the profile's row id, so it never changes, needs no storage, and is the same
/// on every server.
package enum RandomBucket {
    package static let count = 10_000

    package static func bucket(ofRow rowID: Int64) -> Int {
        var mixed = UInt64(bitPattern: rowID) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Int(mixed % UInt64(count))
    }
}
