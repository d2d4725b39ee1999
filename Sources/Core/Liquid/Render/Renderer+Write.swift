extension Renderer {
    @inline(__always)
    mutating func write(_ node: Output) throws(LiquidError) {
        if node.filters.isEmpty {
            try write(try evaluate(node.expression))
        } else {
            try write(try value(of: node))
        }
    }

    /// Prints a value: nothing for `nil`, the elements of a list one after the other.
    mutating func write(_ value: LiquidValue) throws(LiquidError) {
        switch value {
        case .null: break
        case .string(let text):
            note(bytes: text.utf8.count)
            output.append(contentsOf: text.utf8)
        case .int(let number): NumberFormatting.append(number, to: &output)
        case .array(let elements):
            for element in elements {
                try spend(1)
                try write(element)
                // Lists of lists may print more bytes than they hold.
                if output.count > options.limits.outputBytes { throw Self.outputLimit }
            }
        case .big(let number):
            try spend(BigInteger.stepsOfText)
            output.append(contentsOf: number.text.utf8)
        default:
            let start = output.count
            ValueText(self).append(value, to: &output)
            try spend(bytes: output.count - start)
        }
    }

    /// The text of a value for filters that work on text.
    mutating func plainText(_ value: LiquidValue) -> String {
        switch value {
        case .string(let text): return text
        case .null: return ""
        default:
            if case .big = value { note(steps: BigInteger.stepsOfText) }
            var bytes: [UInt8] = []
            ValueText(self).append(value, to: &bytes)
            note(bytes: 2 * bytes.count)
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

/// Values as text, in the reference's forms.
struct ValueText {
    private let byteLimit: Int

    init(_ renderer: borrowing Renderer) {
        byteLimit = renderer.options.limits.outputBytes
    }

    func append(_ value: LiquidValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: break
        case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .int(let number): NumberFormatting.append(number, to: &bytes)
        case .big(let number): bytes.append(contentsOf: number.text.utf8)
        case .float(let number): NumberFormatting.append(number, to: &bytes)
        case .string(let text): bytes.append(contentsOf: text.utf8)
        case .array, .object: inspect(value, to: &bytes)
        case .range(let range):
            NumberFormatting.append(range.first, to: &bytes)
            bytes.append(contentsOf: "..".utf8)
            NumberFormatting.append(range.last, to: &bytes)
        case .time(let time): bytes.append(contentsOf: time.text.utf8)
        case .drop(let drop): bytes.append(contentsOf: drop.text.utf8)
        case .loop: bytes.append(contentsOf: "Liquid::ForloopDrop".utf8)
        case .scope: bytes.append(contentsOf: "Liquid::SelfDrop".utf8)
        }
    }

    /// Writes a value in the form it has inside a printed list or hash.
    private func inspect(_ value: LiquidValue, to bytes: inout [UInt8]) {
        guard bytes.count <= byteLimit else { return }
        switch value {
        case .null: bytes.append(contentsOf: "nil".utf8)
        case .string(let text): inspect(text, to: &bytes)
        case .array(let elements):
            bytes.append(Byte.openSquare)
            for (index, element) in elements.enumerated() {
                guard bytes.count <= byteLimit else { return }
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                inspect(element, to: &bytes)
            }
            bytes.append(Byte.closeSquare)
        case .object(let object):
            bytes.append(Byte.openBrace)
            for index in object.names.indices {
                guard bytes.count <= byteLimit else { return }
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                inspect(object.names[index].text, to: &bytes)
                bytes.append(contentsOf: "=>".utf8)
                inspect(object.values[index], to: &bytes)
            }
            bytes.append(Byte.closeBrace)
        default: append(value, to: &bytes)
        }
    }

    private func inspect(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        let source = Array(text.utf8)
        for (index, byte) in source.enumerated() {
            switch byte {
            case Byte.quote: bytes.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            case 7: bytes.append(contentsOf: "\\a".utf8)
            case 8: bytes.append(contentsOf: "\\b".utf8)
            case 9: bytes.append(contentsOf: "\\t".utf8)
            case 10: bytes.append(contentsOf: "\\n".utf8)
            case 11: bytes.append(contentsOf: "\\v".utf8)
            case 12: bytes.append(contentsOf: "\\f".utf8)
            case 13: bytes.append(contentsOf: "\\r".utf8)
            case 27: bytes.append(contentsOf: "\\e".utf8)
            case Byte.hash where Self.startsInterpolation(source, index + 1):
                bytes.append(contentsOf: "\\#".utf8)
            case 0..<32, 127:
                bytes.append(contentsOf: "\\x".utf8)
                bytes.append(Hex.capitals[Int(byte >> 4)])
                bytes.append(Hex.capitals[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(Byte.quote)
    }

    /// Whether a `#` before this byte would start Ruby's interpolation.
    private static func startsInterpolation(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard index < bytes.count else { return false }
        return bytes[index] == Byte.openBrace || bytes[index] == Byte.dollar
            || bytes[index] == UInt8(ascii: "@")
    }
}

enum Hex {
    static let capitals = Array("0123456789ABCDEF".utf8)
    static let small = Array("0123456789abcdef".utf8)

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(small[Int(byte >> 4)])
            text.append(small[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
