import Foundation

/// Bytes from the system's secure generator, many with one call of the system.
enum SecureRandom {
    /// The most that `getentropy` gives at once.
    private static let longestRead = 256

    static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var memory = UnsafeMutableRawBufferPointer(buffer)[...]
            while let start = UnsafeMutableRawBufferPointer(rebasing: memory).baseAddress,
                !memory.isEmpty
            {
                let count = min(memory.count, longestRead)
                if getentropy(start, count) != 0 {
                    // An old system without that call: the same generator, eight bytes a time.
                    var generator = SystemRandomNumberGenerator()
                    for index in memory.indices.prefix(count) { memory[index] = generator.next() }
                }
                memory = memory.dropFirst(count)
            }
            initialized = count
        }
    }
}
