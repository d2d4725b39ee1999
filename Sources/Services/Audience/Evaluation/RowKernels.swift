/// The inner loops over a chunk's cells. Each adds (ors) rows to a bitmap.
///
/// A comparison first writes one byte, 0 or 1, for each row of a small block — a loop the compiler
/// turns into vector instructions — and then packs eight of them into bits by one multiplication.
enum RowKernels {
    static let block = 512

    /// Packs `count` flags; bytes up to the next multiple of 64 must be 0 or 1 as well.
    @inline(__always)
    private static func pack(
        _ flags: UnsafeMutablePointer<UInt8>,
        count: Int,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        let raw = UnsafeRawPointer(flags)
        for word in 0..<((count + 63) / 64) {
            var bits: UInt64 = 0
            for eight in 0..<8 {
                let bytes = raw.loadUnaligned(
                    fromByteOffset: word * 64 + eight * 8,
                    as: UInt64.self
                )
                bits |= ((bytes &* 0x0102_0408_1020_4080) >> 56) << UInt64(eight * 8)
            }
            target[word] |= bits
        }
    }

    @inline(__always)
    private static func forEachBlock(
        _ count: Int,
        into target: UnsafeMutablePointer<UInt64>,
        _ fill: (_ start: Int, _ length: Int, _ flags: UnsafeMutablePointer<UInt8>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: block) { flags in
            guard let flags = flags.baseAddress else { return }
            var start = 0
            while start < count {
                let length = min(block, count - start)
                if length < block { flags.update(repeating: 0, count: block) }
                fill(start, length, flags)
                pack(flags, count: length, into: target + start / 64)
                start += length
            }
        }
    }

    /// Rows whose byte is within `low...low + span`.
    static func addRange(
        _ bytes: UnsafePointer<UInt8>,
        count: Int,
        low: UInt8,
        span: UInt8,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        forEachBlock(count, into: target) { start, length, flags in
            let source = bytes + start
            for index in 0..<length { flags[index] = source[index] &- low <= span ? 1 : 0 }
        }
    }

    /// Rows whose number is present and satisfies the predicate.
    @inline(__always)
    static func addDoubles(
        _ cells: [Double],
        into target: UnsafeMutablePointer<UInt64>,
        _ holds: (Double) -> Bool
    ) {
        cells.withUnsafeBufferPointer { cells in
            guard let base = cells.baseAddress else { return }
            forEachBlock(cells.count, into: target) { start, length, flags in
                for index in 0..<length { flags[index] = holds(base[start + index]) ? 1 : 0 }
            }
        }
    }

    /// Rows whose number a predicate accepts, if no column can decide.
    static func addRows(
        _ count: Int,
        into target: UnsafeMutablePointer<UInt64>,
        _ holds: (Int) -> Bool
    ) {
        forEachBlock(count, into: target) { start, length, flags in
            for index in 0..<length { flags[index] = holds(start + index) ? 1 : 0 }
        }
    }
}
