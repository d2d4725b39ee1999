import Reasons

/// Filters that encode and decode text: URLs, Base64.
enum EncodingFilters {
    static let table: [String: Filter] = [
        "url_encode": Filter(0) { (renderer, input, _) throws(LiquidError) in
            guard !input.isNull else { return .null }
            let text = renderer.plainText(input)
            return .string(
                try percentEncoded(text, spaceAsPlus: true, isFree: isUnreserved, renderer)
            )
        },
        "url_decode": Filter(0) { (renderer, input, _) throws(LiquidError) in
            guard !input.isNull else { return .null }
            return .string(try percentDecoded(renderer.plainText(input)))
        },
        "base64_encode": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(Base64.encoded(Array(renderer.plainText(input).utf8), isURLSafe: false))
        },
        "base64_url_safe_encode": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(Base64.encoded(Array(renderer.plainText(input).utf8), isURLSafe: true))
        },
        "base64_decode": Filter(0) { (renderer, input, _) throws(LiquidError) in
            guard let bytes = Base64.decoded(renderer.plainText(input)) else {
                throw LiquidError(.argument, .invalidBase64, ["filter": "base64_decode"])
            }
            return .string(String(decoding: bytes, as: UTF8.self))
        },
        "base64_url_safe_decode": Filter(0) { (renderer, input, _) throws(LiquidError) in
            guard let bytes = Base64.decodedURLSafe(renderer.plainText(input)) else {
                throw LiquidError(.argument, .invalidBase64, ["filter": "base64_url_safe_decode"])
            }
            return .string(String(decoding: bytes, as: UTF8.self))
        },
    ]

    /// RFC 3986's unreserved characters.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == Byte.underscore || byte == Byte.dot
            || byte == Byte.dash || byte == UInt8(ascii: "~")
    }

    static func percentEncoded(
        _ text: String,
        spaceAsPlus: Bool,
        isFree: (UInt8) -> Bool,
        _ renderer: borrowing Renderer
    ) throws(LiquidError) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isFree(byte) {
                bytes.append(byte)
            } else if byte == Byte.space, spaceAsPlus {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(Byte.percent)
                bytes.append(Hex.capitals[Int(byte >> 4)])
                bytes.append(Hex.capitals[Int(byte & 15)])
            }
        }
        try renderer.allow(bytes: bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func percentDecoded(_ text: String) throws(LiquidError) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == Byte.percent, index + 2 < source.count,
                let high = Hex.value(source[index + 1]), let low = Hex.value(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? Byte.space : byte)
                index += 1
            }
        }
        guard UTF8Text.isValid(bytes) else {
            throw LiquidError(.argument, .invalidBytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// RFC 4648 Base64.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    static func encoded(_ bytes: [UInt8], isURLSafe: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if count > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[index + 2]) }
            for place in 0..<4 {
                guard place <= count else {
                    text.append(Byte.equals)
                    continue
                }
                let digit = alphabet[Int(group >> (18 - 6 * UInt32(place)) & 63)]
                switch digit {
                case UInt8(ascii: "+") where isURLSafe: text.append(Byte.dash)
                case Byte.slash where isURLSafe: text.append(Byte.underscore)
                default: text.append(digit)
                }
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` unless the text consists of complete groups of the alphabet with their padding.
    static func decoded(_ text: String) -> [UInt8]? {
        let source = Array(text.utf8)
        guard source.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count / 4 * 3)
        var index = 0
        while index < source.count {
            var group: UInt32 = 0
            var count = 0
            for place in 0..<4 {
                let byte = source[index + place]
                if byte == Byte.equals, index + 4 == source.count, place >= 2 {
                    group <<= 6
                    continue
                }
                guard count == place, let digit = value(byte) else { return nil }
                group = group << 6 | UInt32(digit)
                count += 1
            }
            // Unused bits before the padding must be zero.
            if count < 4, group & (count == 2 ? 0xFFFF : 0xFF) != 0 { return nil }
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            if count > 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 8)) }
            if count > 3 { bytes.append(UInt8(truncatingIfNeeded: group)) }
            index += 4
        }
        return bytes
    }

    /// Like `decoded`, with the URL-safe alphabet; the padding may be missing.
    static func decodedURLSafe(_ text: String) -> [UInt8]? {
        var source = text.utf8.map { byte -> UInt8 in
            switch byte {
            case Byte.dash: UInt8(ascii: "+")
            case Byte.underscore: Byte.slash
            default: byte
            }
        }
        if source.last != Byte.equals {
            while source.count % 4 != 0 { source.append(Byte.equals) }
        }
        return decoded(String(decoding: source, as: UTF8.self))
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 65...90: byte - 65
        case 97...122: byte - 71
        case 48...57: byte + 4
        case UInt8(ascii: "+"): 62
        case Byte.slash: 63
        default: nil
        }
    }
}
