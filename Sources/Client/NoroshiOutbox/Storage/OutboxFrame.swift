import Foundation

/// The format of a record in the outbox file.
///
/// ```
/// offset  0  marker, 4 bytes
///         4  length of the payload, 4 bytes
///         8  CRC-32 of everything from byte 13 on, 4 bytes
///        12  state: 0 live, 1 deleted; outside the checksum, so that one byte deletes a record
///        13  importance: 0 may be dropped when the outbox is full, 1 is kept longer
///        14  sequence number, 8 bytes
///        22  record id, 16 bytes
///        38  payload: the JSON of the record
/// ```
/// Numbers are little-endian.
struct OutboxFrame: Equatable {
    static let headerLength = 38
    static let stateOffset = 12
    static let marker: [UInt8] = [0x4E, 0xB7, 0x0C, 0x52]
    /// Maximum length of a payload; a greater length can only be damage.
    static let payloadLengthMaximum = 1 << 20

    var isDeleted = false
    var isImportant: Bool
    var sequence: UInt64
    var id: UUID
    var payload: [UInt8]

    var length: Int { Self.headerLength + payload.count }

    /// The bytes of the frame.
    func encoded() -> [UInt8] {
        var body: [UInt8] = [isImportant ? 1 : 0]
        body.reserveCapacity(length)
        body += Self.bytes(of: sequence)
        withUnsafeBytes(of: id.uuid) { body += $0 }
        body += payload
        var frame = Self.marker
        frame.reserveCapacity(length)
        frame += Self.bytes(of: UInt32(payload.count))
        frame += Self.bytes(of: CRC32.checksum(body))
        frame.append(isDeleted ? 1 : 0)
        frame += body
        return frame
    }

    /// The frame at `offset`; `nil` if there is no complete, undamaged one.
    init?(in bytes: [UInt8], at offset: Int) {
        guard
            bytes.count - offset >= Self.headerLength,
            bytes[offset..<offset + 4].elementsEqual(Self.marker)
        else { return nil }
        let payloadLength = Int(Self.number(bytes, offset + 4, 4))
        guard
            payloadLength <= Self.payloadLengthMaximum,
            bytes.count - offset >= Self.headerLength + payloadLength
        else { return nil }
        let end = offset + Self.headerLength + payloadLength
        guard
            CRC32.checksum(bytes[offset + 13..<end]) == UInt32(Self.number(bytes, offset + 8, 4))
        else { return nil }
        isDeleted = bytes[offset + Self.stateOffset] != 0
        isImportant = bytes[offset + 13] != 0
        sequence = Self.number(bytes, offset + 14, 8)
        id = bytes.withUnsafeBytes {
            UUID(uuid: $0.loadUnaligned(fromByteOffset: offset + 22, as: uuid_t.self))
        }
        payload = Array(bytes[offset + Self.headerLength..<end])
    }

    init(isImportant: Bool, sequence: UInt64, id: UUID, payload: [UInt8]) {
        self.isImportant = isImportant
        self.sequence = sequence
        self.id = id
        self.payload = payload
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
    }
}
