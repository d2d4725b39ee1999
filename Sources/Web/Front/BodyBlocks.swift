import Hummingbird
import NIOCore

/// The pieces of an incomplete body.
///
/// Thousands of incomplete bodies are held at once. A buffer that grows by doubling holds up to
/// twice the received bytes and leaves behind its earlier allocations; blocks of one size waste at
/// most one block.
struct BodyBlocks: Sendable {
    /// Size of a block, in bytes.
    static let size = 16 << 10

    private var blocks: [ByteBuffer] = []
    private(set) var count = 0

    /// Allocated memory, in bytes.
    var capacity: Int { blocks.reduce(0) { $0 + $1.storageCapacity } }

    mutating func append(_ part: ByteBuffer) {
        var part = part
        count += part.readableBytes
        while part.readableBytes > 0 {
            if blocks.last.map({ $0.readableBytes < Self.size }) != true {
                blocks.append(ByteBufferAllocator().buffer(capacity: Self.size))
            }
            let last = blocks.count - 1
            let room = Self.size - blocks[last].readableBytes
            guard var slice = part.readSlice(length: min(room, part.readableBytes)) else { break }
            blocks[last].writeBuffer(&slice)
        }
    }

    /// The whole body in one buffer.
    consuming func joined() -> ByteBuffer {
        if blocks.count == 1 { return blocks[0] }
        var whole = ByteBufferAllocator().buffer(capacity: count)
        for block in blocks { whole.writeImmutableBuffer(block) }
        return whole
    }
}

extension Request {
    /// Returns the body once it is complete.
    ///
    /// - Parameter accept: Called with the size of every piece; an error ends the body.
    /// - Throws: `NIOTooManyBytesError` if there are more than `limit` bytes, ``FrontError`` if
    ///   the body ended early or was evicted.
    package func wholeBody(
        upTo limit: Int,
        accept: (Int) throws -> Void = { _ in }
    ) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit {
            throw NIOTooManyBytesError(maxBytes: limit)
        }
        var parts = body.makeAsyncIterator()
        guard let first = try await parts.next() else { return ByteBuffer() }
        guard first.readableBytes <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
        try accept(first.readableBytes)
        // Most bodies arrive in one piece and are not copied.
        guard let second = try await parts.next() else { return first }
        var blocks = BodyBlocks()
        blocks.append(first)
        var next: ByteBuffer? = second
        while let part = next {
            guard blocks.count + part.readableBytes <= limit else {
                throw NIOTooManyBytesError(maxBytes: limit)
            }
            try accept(part.readableBytes)
            blocks.append(part)
            next = try await parts.next()
        }
        return blocks.joined()
    }
}
