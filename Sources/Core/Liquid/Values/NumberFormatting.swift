/// Numbers as the reference prints them.
enum NumberFormatting {
    static func append(_ number: Int, to bytes: inout [UInt8]) {
        if number >= 0, number < 10 {
            bytes.append(UInt8(48 + number))
            return
        }
        var magnitude = number.magnitude
        var digits = 0
        var probe = magnitude
        repeat {
            digits += 1
            probe /= 10
        } while probe > 0
        if number < 0 { bytes.append(Byte.dash) }
        let start = bytes.count
        for _ in 0..<digits { bytes.append(48) }
        var index = start + digits
        while index > start {
            index -= 1
            bytes[index] = UInt8(48 + magnitude % 10)
            magnitude /= 10
        }
    }

    static func append(_ number: Double, to bytes: inout [UInt8]) {
        guard number.isFinite else {
            bytes.append(
                contentsOf: (number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity").utf8
            )
            return
        }
        // A few digits after the decimal point are common, and faster to print as integers.
        let hundreds = number * 100
        if abs(hundreds) < 1e14, hundreds.rounded() / 100 == number, number != 0 {
            let scaled = Int(hundreds.rounded())
            if number < 0 { bytes.append(Byte.dash) }
            let magnitude = abs(scaled)
            append(magnitude / 100, to: &bytes)
            bytes.append(Byte.dot)
            let cents = magnitude % 100
            bytes.append(UInt8(48 + cents / 10))
            if cents % 10 != 0 { bytes.append(UInt8(48 + cents % 10)) }
            return
        }
        let text = number.description.utf8
        guard let exponent = text.firstIndex(of: UInt8(ascii: "e")) else {
            bytes.append(contentsOf: text)
            return
        }
        bytes.append(contentsOf: text[..<exponent])
        if !text[..<exponent].contains(Byte.dot) { bytes.append(contentsOf: ".0".utf8) }
        bytes.append(contentsOf: text[exponent...])
    }

    static func text(_ number: Double) -> String {
        var bytes: [UInt8] = []
        append(number, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Pads `12.` to `12.0`, so that it reads as a number.
    static func padded(_ text: String) -> String {
        text.utf8.last == Byte.dot ? text + "0" : text
    }
}
