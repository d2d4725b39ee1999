import Reasons

/// The additional filters of the messaging dialect.
enum MessagingFilters {
    private static let stepsOfZone = 512

    static let table: [String: Filter] = [
        "url_escape": Filter(0) { (renderer, input, _) throws(LiquidError) in
            // A whole URL: its delimiters are kept.
            let kept = Array("!*'();:@&=+$,/?#[]%".utf8)
            let text = renderer.plainText(input)
            return .string(
                try EncodingFilters.percentEncoded(
                    text,
                    spaceAsPlus: false,
                    isFree: { EncodingFilters.isUnreserved($0) || kept.contains($0) },
                    renderer
                )
            )
        },
        "url_param_escape": Filter(0) { (renderer, input, _) throws(LiquidError) in
            let text = renderer.plainText(input)
            return .string(
                try EncodingFilters.percentEncoded(
                    text,
                    spaceAsPlus: false,
                    isFree: EncodingFilters.isUnreserved,
                    renderer
                )
            )
        },
        "json_escape": Filter(0) { (renderer, input, _) throws(LiquidError) in
            var bytes: [UInt8] = []
            LiquidJSON.appendEscaped(renderer.plainText(input), to: &bytes)
            try renderer.allow(bytes: bytes.count)
            return .string(String(decoding: bytes, as: UTF8.self))
        },
        "as_json_string": Filter(0) { (renderer, input, _) throws(LiquidError) in
            let bytes = LiquidJSON.bytes(input, limit: renderer.options.limits.outputBytes)
            try renderer.allow(bytes: bytes.count)
            return .string(String(decoding: bytes, as: UTF8.self))
        },
        "json_parse": Filter(0) { (renderer, input, _) throws(LiquidError) in
            let limits = renderer.options.limits
            let text = Array(renderer.plainText(input).utf8)
            try renderer.spend(text.count / 16)
            do throws(LiquidError) {
                return try LiquidJSON.parse(text, depth: limits.nesting / 2)
            } catch {
                throw LiquidError(
                    .argument,
                    .invalidJSON,
                    ["reason": .reason(error.reason)]
                )
            }
        },
        "property_accessor": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            renderer.element(arguments.required(0), of: input) ?? .null
        },
        "money": Filter(0) { (renderer, input, _) throws(LiquidError) in
            try money(input, renderer)
        },
        "number_with_delimiter": Filter(0...1) { (renderer, input, arguments) throws(LiquidError) in
            let delimiter = renderer.plainText(arguments[0] ?? .string(","))
            let text = renderer.plainText(input)
            let groups = text.utf8.count / 3
            try renderer.allow(bytes: text.utf8.count)
            try renderer.allow(bytes: delimiter.utf8.count)
            try renderer.allow(bytes: text.utf8.count + groups * delimiter.utf8.count)
            return .string(delimited(text, delimiter))
        },
        "time_zone": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let name = renderer.plainText(arguments.required(0))
            // A zone used for the first time is read from a file.
            try renderer.spend(stepsOfZone)
            guard let zone = LiquidTimeZone(identifier: name) else {
                throw LiquidError(.argument, .unknownZone, ["zone": "\(name)"])
            }
            guard let time = DateFilters.time(input, renderer) else { return input }
            return .time(
                LiquidTime(seconds: time.seconds, nanoseconds: time.nanoseconds, zone: zone)
            )
        },
    ]

    /// Two digits after the decimal point; the number is not divided by 100.
    private static func money(
        _ input: LiquidValue,
        _ renderer: borrowing Renderer
    ) throws(LiquidError) -> LiquidValue {
        switch input {
        case .int, .big, .float: break
        default: throw LiquidError(.argument, .moneyNeedsNumber)
        }
        let cents = (Numbers.number(input) * .int(100)).rounded(.halfAwayFromZero)
        guard case .int(let number) = cents else {
            throw LiquidError(.argument, .moneyTooLarge)
        }
        let magnitude = number.magnitude
        let rest = magnitude % 100
        let sign = number < 0 ? "-" : ""
        return .string("\(sign)\(magnitude / 100).\(rest < 10 ? "0" : "")\(rest)")
    }

    /// Groups the digits before the decimal point in threes; other text is unchanged.
    private static func delimited(_ text: String, _ delimiter: String) -> String {
        let digits = text.utf8
        let sign = digits.first == Byte.dash ? 1 : 0
        let whole = digits.dropFirst(sign).prefix(while: \.isDigit)
        let rest = digits.dropFirst(sign + whole.count)
        guard !whole.isEmpty, rest.isEmpty || rest.first == Byte.dot,
            rest.dropFirst().allSatisfy(\.isDigit)
        else { return text }
        var bytes = Array(digits.prefix(sign))
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 {
                bytes.append(contentsOf: delimiter.utf8)
            }
            bytes.append(digit)
        }
        bytes.append(contentsOf: rest)
        return String(decoding: bytes, as: UTF8.self)
    }
}
