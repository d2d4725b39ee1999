/// SHA-256 (FIPS 180-4), to compare generated files with known ones.
struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c,
        0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    private static func isPrime(_ number: Int) -> Bool {
        number > 1 && !(2..<number).contains { $0 * $0 <= number && number % $0 == 0 }
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, found
    /// with whole numbers only.
    private static let constants: [UInt32] = (2...311).filter(isPrime).map { prime in
        // The largest r with r³ ≤ prime · 2⁹⁶; its low 32 bits are the fraction's first.
        var root: UInt64 = 0
        for bit in (0..<36).reversed() {
            let candidate = root | 1 << UInt64(bit)
            let square = candidate.multipliedFullWidth(by: candidate)
            let low = square.low.multipliedFullWidth(by: candidate)
            let high = square.high &* candidate &+ low.high
            if high < UInt64(prime) << 32 { root = candidate }
        }
        return UInt32(truncatingIfNeeded: root)
    }

    mutating func update(_ text: String) {
        pending.append(contentsOf: text.utf8)
        length += UInt64(text.utf8.count)
        guard pending.count >= 8_192 else { return }
        flush()
    }

    private mutating func flush() {
        let whole = pending.count / 64 * 64
        for start in stride(from: 0, to: whole, by: 64) { compress(start) }
        pending.removeFirst(whole)
    }

    private mutating func compress(_ start: Int) {
        var words = (0..<16).map { index -> UInt32 in
            (0..<4).reduce(0) { $0 << 8 | UInt32(pending[start + index * 4 + $1]) }
        }
        func rotate(_ value: UInt32, _ bits: UInt32) -> UInt32 {
            value >> bits | value << (32 - bits)
        }
        for index in 16..<64 {
            let second = words[index - 2]
            let fifteenth = words[index - 15]
            let small0 = rotate(fifteenth, 7) ^ rotate(fifteenth, 18) ^ (fifteenth >> 3)
            let small1 = rotate(second, 17) ^ rotate(second, 19) ^ (second >> 10)
            words.append(words[index - 16] &+ small0 &+ words[index - 7] &+ small1)
        }
        var work = state
        for index in 0..<64 {
            let big1 = rotate(work[4], 6) ^ rotate(work[4], 11) ^ rotate(work[4], 25)
            let choice = (work[4] & work[5]) ^ (~work[4] & work[6])
            let first = work[7] &+ big1 &+ choice &+ Self.constants[index] &+ words[index]
            let big0 = rotate(work[0], 2) ^ rotate(work[0], 13) ^ rotate(work[0], 22)
            let majority =
                (work[0] & work[1]) ^ (work[0] & work[2]) ^ (work[1] & work[2])
            work = [
                first &+ big0 &+ majority, work[0], work[1], work[2], work[3] &+ first, work[4],
                work[5], work[6],
            ]
        }
        for index in 0..<8 { state[index] = state[index] &+ work[index] }
    }

    /// The digest in hexadecimal.
    mutating func finish() -> String {
        let bits = length * 8
        pending.append(0x80)
        while pending.count % 64 != 56 { pending.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            pending.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        flush()
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }
}
