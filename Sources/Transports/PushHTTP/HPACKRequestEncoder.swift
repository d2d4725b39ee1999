import NIOCore

/// Writes the header blocks of one connection's requests (RFC 7541).
///
/// Only shared headers enter the dynamic table, and only while they fit, so nothing is ever
/// evicted and an entry's index follows from its insertion number. Everything else is a literal
/// without indexing, as Apple asks for `:path` and `authorization`.
struct HPACKRequestEncoder {
    private struct Field: Hashable {
        var name: String
        var value: String
        /// The size of an entry in the dynamic table (RFC 7541, 4.1).
        var tableSize: Int { name.utf8.count + value.utf8.count + 32 }
    }

    private struct Block {
        /// Retained, so that another set does not get its identity.
        var headers: SharedHeaders
        var bytes: [UInt8]
        var insertions: Int
    }

    private static let defaultCapacity = 4096
    private static let firstDynamicIndex = 62
    private static let rememberedBlocks = 1024

    private let isSecure: Bool
    private let authority: SharedHeaders
    private var insertionNumbers: [Field: Int] = [:]
    private var insertions = 0
    private var tableSize = 0
    private var capacity = defaultCapacity
    private var announcesCapacity = false
    private var blocks: [ObjectIdentifier: Block] = [:]

    init(authority: String, isSecure: Bool) {
        self.authority = SharedHeaders([(":authority", authority)])
        self.isSecure = isSecure
    }

    /// Follows the peer's `SETTINGS_HEADER_TABLE_SIZE`.
    mutating func limitTable(to size: Int) {
        guard size < capacity else { return }
        capacity = size
        insertionNumbers = [:]
        blocks = [:]
        tableSize = 0
        announcesCapacity = true
    }

    /// Maximum number of bytes of a request's own fields.
    static let maxFieldsLength = 12 * 1024

    /// Whether the header block fits one frame of the smallest size that a peer may demand.
    static func fits(_ request: PushHTTPRequest) -> Bool {
        var size = request.path.utf8.count
        for field in request.headers {
            size += field.name.text.utf8.count + field.value.utf8.count + 8
        }
        for field in request.sharedHeaders.fields {
            size += field.name.utf8.count + field.value.utf8.count + 8
        }
        return size <= maxFieldsLength
    }

    mutating func write(_ request: PushHTTPRequest, into buffer: inout ByteBuffer) {
        if announcesCapacity {
            announcesCapacity = false
            // A size of zero first empties the peer's table, as ours was emptied.
            Self.writeInteger(0, prefix: 5, flags: 0x20, into: &buffer)
            Self.writeInteger(capacity, prefix: 5, flags: 0x20, into: &buffer)
        }
        buffer.writeInteger(UInt16(isSecure ? 0x8387 : 0x8386))
        writeShared(authority, into: &buffer)
        buffer.writeInteger(UInt8(0x04))
        Self.writeString(request.path, into: &buffer)
        writeShared(request.sharedHeaders, into: &buffer)
        for field in request.headers {
            buffer.writeBytes(field.name.encodedStart)
            Self.writeString(field.value, into: &buffer)
        }
    }

    private mutating func writeShared(_ headers: SharedHeaders, into buffer: inout ByteBuffer) {
        let identity = ObjectIdentifier(headers)
        if let block = blocks[identity], block.insertions == insertions {
            buffer.writeBytes(block.bytes)
            return
        }
        let insertionsBefore = insertions
        let start = buffer.writerIndex
        for field in headers.fields {
            writeSharedField(Field(name: field.name, value: field.value), into: &buffer)
        }
        guard insertions == insertionsBefore else { return }
        if blocks.count >= Self.rememberedBlocks { blocks = [:] }
        let length = buffer.writerIndex - start
        let bytes = buffer.getBytes(at: start, length: length) ?? []
        blocks[identity] = Block(headers: headers, bytes: bytes, insertions: insertions)
    }

    private mutating func writeSharedField(_ field: Field, into buffer: inout ByteBuffer) {
        if let number = insertionNumbers[field] {
            let index = Self.firstDynamicIndex + insertions - number
            Self.writeInteger(index, prefix: 7, flags: 0x80, into: &buffer)
            return
        }
        let isRemembered = tableSize + field.tableSize <= capacity
        if isRemembered {
            insertions += 1
            insertionNumbers[field] = insertions
            tableSize += field.tableSize
        }
        buffer.writeInteger(UInt8(isRemembered ? 0x40 : 0x00))
        Self.writeString(field.name, into: &buffer)
        Self.writeString(field.value, into: &buffer)
    }

    private static func writeString(_ text: String, into buffer: inout ByteBuffer) {
        writeInteger(text.utf8.count, prefix: 7, flags: 0, into: &buffer)
        buffer.writeString(text)
    }

    /// The integer representation of RFC 7541, 5.1.
    private static func writeInteger(
        _ value: Int,
        prefix: Int,
        flags: UInt8,
        into buffer: inout ByteBuffer
    ) {
        let limit = (1 << prefix) - 1
        guard value >= limit else {
            buffer.writeInteger(flags | UInt8(value))
            return
        }
        buffer.writeInteger(flags | UInt8(limit))
        var rest = value - limit
        while rest >= 128 {
            buffer.writeInteger(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        buffer.writeInteger(UInt8(rest))
    }
}
