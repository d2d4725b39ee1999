import Accounts
import Foundation
import Testing

/// Values of RFC 8949, appendix A, and what is refused.
@Suite("CBOR of authenticators")
struct CBORTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    @Test(
        "values are read",
        arguments: [
            ("00", .integer(0)), ("17", .integer(23)), ("1818", .integer(24)),
            ("1903e8", .integer(1_000)), ("1a000f4240", .integer(1_000_000)),
            ("1b000000e8d4a51000", .integer(1_000_000_000_000)), ("20", .integer(-1)),
            ("3903e7", .integer(-1_000)), ("f4", .boolean(false)), ("f5", .boolean(true)),
            ("f6", .null), ("4401020304", .bytes(Data([1, 2, 3, 4]))),
            ("6449455446", .text("IETF")),
            ("62c3bc", .text("\u{FC}")), ("83010203", .array([1, 2, 3].map(CBORValue.integer))),
            ("a201020304", .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
            ("80", .array([])),
            ("3b7fffffffffffffff", .integer(.min)),
        ] as [(String, CBORValue)]
    )
    func values(hex: String, value: CBORValue) throws {
        var reader = try CBORReader(Self.bytes(hex))
        #expect(try reader.value() == value)
        #expect(reader.isAtEnd)
    }

    @Test(
        "what is cut off, endless, too deep, too large or unclear is refused",
        arguments: [
            ("", .cutOff), ("18", .cutOff), ("4401", .cutOff), ("9bffffffffffffffff", .tooLarge),
            ("9b7fffffffffffffff", .cutOff), ("bb7fffffffffffffff", .cutOff),
            ("5b7fffffffffffffff", .cutOff), ("5f42010243030405ff", .unknownKind),
            ("9f01ff", .unknownKind), ("c11a514b67b0", .unknownKind), ("f93c00", .unknownKind),
            ("f7", .unknownKind), ("ff", .unknownKind), ("1c", .unknownKind), ("62c328", .noText),
            ("818181818181818100", .tooDeep), ("a201020103", .repeatedKey),
        ] as [(String, CBORError)]
    )
    func refused(hex: String, flaw: CBORError) throws {
        var reader = try CBORReader(Self.bytes(hex))
        #expect(throws: flaw) { try reader.value() }
        #expect(throws: CBORError.tooLong) { try CBORReader(Data(count: 16_385)) }
    }
}
