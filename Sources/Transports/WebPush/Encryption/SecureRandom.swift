import Foundation

/// Bytes from the system's secure generator, many per system call.
enum SecureRandom {
    /// Maximum number of bytes that `getentropy` returns per call.
    private static let longestRead = 256

    static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var memory = UnsafeMutableRawBufferPointer(buffer)[...]
            while let start = UnsafeMutableRawBufferPointer(rebasing: memory).baseAddress,
                !memory.isEmpty
            {
                let count = min(memory.count, longestRead)
                if getentropy(start, count) != 0 {
                    // An old system without that call: use the same generator, eight bytes at a
                    // time.
                    var generator = SystemRandomNumberGenerator()
                    for index in memory.indices.prefix(count) { memory[index] = generator.next() }
                }
                memory = memory.dropFirst(count)
            }
            initialized = count
        }
    }
}
