/// A QR code (ISO/IEC 18004) of up to 412 bytes, with error correction level M.
package struct QRCode: Sendable {
    /// Number of modules on a side.
    package private(set) var size: Int
    private var modules: [Bool]
    /// Modules of finder, timing and alignment patterns and of the format, which masks leave alone.
    private var isFunction: [Bool]

    /// Error correction codewords per block and number of blocks, by version.
    private static let blocks: [(correction: Int, count: Int)] = [
        (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5),
        (30, 5), (22, 8), (22, 9), (24, 9), (24, 10),
    ]
    /// The bits of level M in the format.
    private static let level = 0

    /// - Parameter mask: One of the eight masks; `nil` chooses the one that scans best.
    /// - Returns: `nil` if the text is too long.
    package init?(_ text: String, mask: Int? = nil) {
        let bytes = Array(text.utf8)
        let fitting = (1...Self.blocks.count).first { version in
            4 + (version < 10 ? 8 : 16) + 8 * bytes.count <= 8 * Self.dataLength(version)
        }
        guard let version = fitting else { return nil }
        size = 17 + 4 * version
        modules = Array(repeating: false, count: size * size)
        isFunction = modules
        drawFunctionPatterns(version)
        place(Self.codewords(bytes, version))
        let chosen = mask ?? (0..<8).min { masked($0).penalty < masked($1).penalty }
        self = masked(chosen ?? 0)
    }

    package func isDark(_ column: Int, _ row: Int) -> Bool { modules[row * size + column] }

    /// The dark modules as the path of an SVG picture, within a quiet zone of four modules.
    package var path: String {
        var path = ""
        for row in 0..<size {
            for column in 0..<size where isDark(column, row) {
                path += "M\(column + 4) \(row + 4)h1v1h-1z"
            }
        }
        return path
    }

    // MARK: Codewords

    /// Number of codewords of a version, for data and error correction together.
    private static func length(_ version: Int) -> Int {
        let alignments = version < 2 ? 0 : version / 7 + 2
        var bits = (16 * version + 128) * version + 64
        if version >= 2 {
            bits -= (25 * alignments - 10) * alignments - 55
            if version >= 7 { bits -= 36 }
        }
        return bits / 8
    }

    private static func dataLength(_ version: Int) -> Int {
        let (correction, count) = blocks[version - 1]
        return length(version) - correction * count
    }

    /// The text's bytes with their head, padded, in blocks with error correction, interleaved.
    private static func codewords(_ bytes: [UInt8], _ version: Int) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, version < 10 ? 8 : 16)
        for byte in bytes { append(Int(byte), 8) }
        let capacity = 8 * dataLength(version)
        append(0, min(4, capacity - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        while data.count < dataLength(version) {
            data.append((data.count * 8 - bits.count) / 8 % 2 == 0 ? 0xEC : 0x11)
        }
        let (correction, count) = blocks[version - 1]
        let divisor = ReedSolomon.divisor(correction)
        let shortLength = data.count / count
        let longBlocks = data.count % count
        var parts: [[UInt8]] = []
        var rest = data[...]
        for block in 0..<count {
            let length = shortLength + (block < count - longBlocks ? 0 : 1)
            parts.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        let corrections = parts.map { ReedSolomon.remainder($0, divisor) }
        let interleaved = (0...shortLength).flatMap { index in
            parts.compactMap { index < $0.count ? $0[index] : nil }
        }
        return interleaved + (0..<correction).flatMap { index in corrections.map { $0[index] } }
    }

    // MARK: Drawing

    private mutating func set(_ column: Int, _ row: Int, _ isDark: Bool) {
        modules[row * size + column] = isDark
        isFunction[row * size + column] = true
    }

    private mutating func drawFunctionPatterns(_ version: Int) {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for y in max(0, row - 4)...min(size - 1, row + 4) {
                for x in max(0, column - 4)...min(size - 1, column + 4) {
                    let distance = max(abs(x - column), abs(y - row))
                    set(x, y, distance != 2 && distance != 4)
                }
            }
        }
        let centers = Self.alignments(version, size)
        for row in centers {
            for column in centers {
                let isFinder =
                    (row == 6 && (column == 6 || column == size - 7))
                    || (row == size - 7 && column == 6)
                guard !isFinder else { continue }
                for y in -2...2 {
                    for x in -2...2 { set(column + x, row + y, max(abs(x), abs(y)) != 1) }
                }
            }
        }
        drawFormat(0)
        if version >= 7 { drawVersion(version) }
    }

    private static func alignments(_ version: Int, _ size: Int) -> [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = (version * 4 + 2 * count + 1) / (2 * count - 2) * 2
        return [6] + (0..<count - 1).map { size - 7 - $0 * step }.reversed()
    }

    /// Level and mask with ten bits of error correction, twice.
    private mutating func drawFormat(_ mask: Int) {
        let data = Self.level << 3 | mask
        var rest = data
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (data << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
        set(8, size - 8, true)
    }

    /// The version with twelve bits of error correction, twice.
    private mutating func drawVersion(_ version: Int) {
        var rest = version
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version << 12 | rest
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            set(size - 11 + index % 3, index / 3, isDark)
            set(index / 3, size - 11 + index % 3, isDark)
        }
    }

    /// Fills the free modules in columns of two, from the right, upwards and downwards in turn.
    private mutating func place(_ codewords: [UInt8]) {
        var index = 0
        for right in stride(from: size - 1, through: 1, by: -2) {
            let pair = right <= 6 ? right - 1 : right
            let isUpward = (pair + 1) & 2 == 0
            for vertical in 0..<size {
                let row = isUpward ? size - 1 - vertical : vertical
                for column in [pair, pair - 1] where !isFunction[row * size + column] {
                    guard index < codewords.count * 8 else { continue }
                    modules[row * size + column] =
                        codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
                    index += 1
                }
            }
        }
    }

    private func masked(_ mask: Int) -> QRCode {
        var code = self
        for row in 0..<size {
            for column in 0..<size where !isFunction[row * size + column] {
                let isInverted: Bool =
                    switch mask {
                    case 0: (column + row) % 2 == 0
                    case 1: row % 2 == 0
                    case 2: column % 3 == 0
                    case 3: (column + row) % 3 == 0
                    case 4: (column / 3 + row / 2) % 2 == 0
                    case 5: column * row % 2 + column * row % 3 == 0
                    case 6: (column * row % 2 + column * row % 3) % 2 == 0
                    default: ((column + row) % 2 + column * row % 3) % 2 == 0
                    }
                if isInverted { code.modules[row * size + column].toggle() }
            }
        }
        code.drawFormat(mask)
        return code
    }

    /// How badly a scanner would do: runs, blocks, what looks like a finder, and imbalance.
    private var penalty: Int {
        var sum = 0
        let finder = [true, false, true, true, true, false, true]
        let quiet = [Bool](repeating: false, count: 4)
        for index in 0..<size {
            let row = (0..<size).map { isDark($0, index) }
            let column = (0..<size).map { isDark(index, $0) }
            for line in [row, column] {
                var run = 1
                for position in 1...size {
                    if position < size, line[position] == line[position - 1] {
                        run += 1
                    } else {
                        if run >= 5 { sum += run - 2 }
                        run = 1
                    }
                }
                for start in 0...max(0, size - 11) {
                    let part = Array(line[start..<min(size, start + 11)])
                    if part == finder + quiet || part == quiet + finder { sum += 40 }
                }
            }
        }
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let color = isDark(column, row)
                if color == isDark(column + 1, row), color == isDark(column, row + 1),
                    color == isDark(column + 1, row + 1)
                {
                    sum += 3
                }
            }
        }
        let dark = modules.count { $0 }
        return sum + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }
}

/// Error correction over the field of 256 elements with the polynomial 0x11D.
private enum ReedSolomon {
    static func divisor(_ degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                result[index] = product(result[index], root)
                if index + 1 < degree { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    static func remainder(_ data: [UInt8], _ divisor: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ result[0]
            result = Array(result.dropFirst()) + [0]
            for index in divisor.indices { result[index] ^= product(divisor[index], factor) }
        }
        return result
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x11D
            result ^= Int(right >> UInt8(bit) & 1) * Int(left)
        }
        return UInt8(result)
    }
}
