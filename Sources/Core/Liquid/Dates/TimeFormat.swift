import Reasons

/// Ruby's `strftime`.
enum TimeFormat {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
    static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    /// The flags and the width between a `%` and its letter.
    private struct Style {
        /// The character that pads a number; `nil` for the default, 0 for none.
        var padding: UInt8?
        var isCapital = false
        var isSwapped = false
        var colons = 0
        var width: Int?
    }

    private static let maxWidth = 1024

    /// Formats a time. Throws if the text becomes longer than `limit` bytes.
    static func text(
        _ format: String,
        _ time: LiquidTime,
        limit: Int = .max
    ) throws(LiquidError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(format.utf8.count * 2)
        try append(Array(format.utf8), time, time.civil, limit, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(
        _ format: [UInt8],
        _ time: LiquidTime,
        _ civil: CivilTime,
        _ limit: Int = .max,
        to bytes: inout [UInt8]
    ) throws(LiquidError) {
        var index = 0
        while index < format.count {
            guard bytes.count <= limit else { throw Renderer.outputLimit }
            guard format[index] == Byte.percent else {
                bytes.append(format[index])
                index += 1
                continue
            }
            let start = index
            index += 1
            let style = style(format, &index)
            guard index < format.count else {
                let text = String(decoding: format, as: UTF8.self)
                throw LiquidError(.argument, .invalidFormat, ["format": "\(text)"])
            }
            if let width = style.width, width > maxWidth {
                throw LiquidError(.argument, .outOfRange)
            }
            let isKnown = try directive(format[index], style, time, civil, to: &bytes)
            index += 1
            if !isKnown { bytes.append(contentsOf: format[start..<index]) }
        }
    }

    private static func style(_ format: [UInt8], _ index: inout Int) -> Style {
        var style = Style()
        while index < format.count {
            switch format[index] {
            case Byte.dash: style.padding = 0
            case Byte.underscore: style.padding = Byte.space
            case UInt8(ascii: "0") where style.width == nil: style.padding = 48
            case UInt8(ascii: "^"): style.isCapital = true
            case Byte.hash: style.isSwapped = true
            case Byte.colon: style.colons += 1
            case UInt8(ascii: "E"), UInt8(ascii: "O"):
                guard index + 1 < format.count, format[index + 1].isLetter else { return style }
            case 48...57:
                style.width = min((style.width ?? 0) * 10 + Int(format[index] - 48), maxWidth + 1)
            default: return style
            }
            index += 1
        }
        return style
    }

    /// Writes one directive; `false` for an unknown letter.
    private static func directive(
        _ letter: UInt8,
        _ style: Style,
        _ time: LiquidTime,
        _ civil: CivilTime,
        to bytes: inout [UInt8]
    ) throws(LiquidError) -> Bool {
        if style.colons > 0, letter != UInt8(ascii: "z") { return false }
        switch letter {
        case UInt8(ascii: "Y"):
            number(civil.year, civil.year < 0 ? 5 : 4, 48, style, &bytes)
        case UInt8(ascii: "C"): number(floored(civil.year, 100), 2, 48, style, &bytes)
        case UInt8(ascii: "y"):
            number(civil.year - floored(civil.year, 100) * 100, 2, 48, style, &bytes)
        case UInt8(ascii: "m"): number(civil.month, 2, 48, style, &bytes)
        case UInt8(ascii: "d"): number(civil.day, 2, 48, style, &bytes)
        case UInt8(ascii: "e"): number(civil.day, 2, Byte.space, style, &bytes)
        case UInt8(ascii: "j"): number(civil.dayOfYear, 3, 48, style, &bytes)
        case UInt8(ascii: "H"): number(civil.hour, 2, 48, style, &bytes)
        case UInt8(ascii: "k"): number(civil.hour, 2, Byte.space, style, &bytes)
        case UInt8(ascii: "I"): number((civil.hour + 11) % 12 + 1, 2, 48, style, &bytes)
        case UInt8(ascii: "l"): number((civil.hour + 11) % 12 + 1, 2, Byte.space, style, &bytes)
        case UInt8(ascii: "M"): number(civil.minute, 2, 48, style, &bytes)
        case UInt8(ascii: "S"): number(civil.second, 2, 48, style, &bytes)
        case UInt8(ascii: "u"): number((civil.weekday + 6) % 7 + 1, 1, 48, style, &bytes)
        case UInt8(ascii: "w"): number(civil.weekday, 1, 48, style, &bytes)
        case UInt8(ascii: "G"): number(civil.isoWeek.year, 4, 48, style, &bytes)
        case UInt8(ascii: "g"):
            let year = civil.isoWeek.year
            number(year - floored(year, 100) * 100, 2, 48, style, &bytes)
        case UInt8(ascii: "V"): number(civil.isoWeek.week, 2, 48, style, &bytes)
        case UInt8(ascii: "U"):
            number((civil.dayOfYear + 6 - civil.weekday) / 7, 2, 48, style, &bytes)
        case UInt8(ascii: "W"):
            number((civil.dayOfYear + 6 - (civil.weekday + 6) % 7) / 7, 2, 48, style, &bytes)
        case UInt8(ascii: "s"): number(time.seconds, 1, 48, style, &bytes)
        case UInt8(ascii: "L"): fraction(time.nanoseconds, style.width ?? 3, &bytes)
        case UInt8(ascii: "N"): fraction(time.nanoseconds, style.width ?? 9, &bytes)
        case UInt8(ascii: "z"): return zone(time.offset, style, &bytes)
        default: return try text(letter, style, time, civil, to: &bytes)
        }
        return true
    }

    private static func text(
        _ letter: UInt8,
        _ style: Style,
        _ time: LiquidTime,
        _ civil: CivilTime,
        to bytes: inout [UInt8]
    ) throws(LiquidError) -> Bool {
        switch letter {
        case UInt8(ascii: "B"): text(months[civil.month - 1], style, &bytes)
        case UInt8(ascii: "b"), UInt8(ascii: "h"):
            text(String(months[civil.month - 1].prefix(3)), style, &bytes)
        case UInt8(ascii: "A"): text(weekdays[civil.weekday], style, &bytes)
        case UInt8(ascii: "a"): text(String(weekdays[civil.weekday].prefix(3)), style, &bytes)
        case UInt8(ascii: "p"):
            let isSmall = style.isSwapped
            text(
                civil.hour < 12 ? (isSmall ? "am" : "AM") : (isSmall ? "pm" : "PM"),
                isSmall ? Style(padding: style.padding, width: style.width) : style,
                &bytes
            )
        case UInt8(ascii: "P"): text(civil.hour < 12 ? "am" : "pm", style, &bytes)
        case UInt8(ascii: "Z"):
            text(
                style.isSwapped ? time.zoneName.lowercased() : time.zoneName,
                style.isSwapped ? Style(padding: style.padding, width: style.width) : style,
                &bytes
            )
        case UInt8(ascii: "n"): text("\n", style, &bytes)
        case UInt8(ascii: "t"): text("\t", style, &bytes)
        case Byte.percent: text("%", style, &bytes)
        default:
            guard let format = composed(letter) else { return false }
            var inner: [UInt8] = []
            try append(Array(format.utf8), time, civil, to: &inner)
            text(String(decoding: inner, as: UTF8.self), style, &bytes)
        }
        return true
    }

    private static func composed(_ letter: UInt8) -> String? {
        switch letter {
        case UInt8(ascii: "c"): "%a %b %e %H:%M:%S %Y"
        case UInt8(ascii: "D"), UInt8(ascii: "x"): "%m/%d/%y"
        case UInt8(ascii: "F"): "%Y-%m-%d"
        case UInt8(ascii: "T"), UInt8(ascii: "X"): "%H:%M:%S"
        case UInt8(ascii: "R"): "%H:%M"
        case UInt8(ascii: "r"): "%I:%M:%S %p"
        case UInt8(ascii: "v"): "%e-%^b-%4Y"
        default: nil
        }
    }

    // MARK: - Writing

    private static func floored(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
    }

    private static func number(
        _ number: Int,
        _ width: Int,
        _ padding: UInt8,
        _ style: Style,
        _ bytes: inout [UInt8]
    ) {
        let padding = style.padding ?? padding
        let width = padding == 0 ? (style.width ?? 0) : (style.width ?? width)
        var digits: [UInt8] = []
        NumberFormatting.append(abs(number), to: &digits)
        let missing = max(0, width - digits.count - (number < 0 ? 1 : 0))
        if padding == Byte.space {
            for _ in 0..<missing { bytes.append(Byte.space) }
            if number < 0 { bytes.append(Byte.dash) }
        } else {
            if number < 0 { bytes.append(Byte.dash) }
            if padding != 0 {
                for _ in 0..<missing { bytes.append(48) }
            }
        }
        bytes.append(contentsOf: digits)
    }

    private static func text(_ text: String, _ style: Style, _ bytes: inout [UInt8]) {
        if let width = style.width, style.padding != 0 {
            let filler = style.padding ?? Byte.space
            for _ in 0..<max(0, width - text.utf8.count) { bytes.append(filler) }
        }
        let isCapital = style.isCapital || style.isSwapped
        bytes.append(contentsOf: isCapital ? text.uppercased().utf8 : text.utf8)
    }

    private static func fraction(_ nanoseconds: Int, _ width: Int, _ bytes: inout [UInt8]) {
        var digits: [UInt8] = []
        NumberFormatting.append(1_000_000_000 + nanoseconds, to: &digits)
        digits.removeFirst()
        for place in 0..<max(1, width) { bytes.append(place < digits.count ? digits[place] : 48) }
    }

    private static func zone(_ offset: Int, _ style: Style, _ bytes: inout [UInt8]) -> Bool {
        guard style.colons <= 3 else { return false }
        var rest: [UInt8] = []
        func two(_ number: Int) {
            rest.append(UInt8(48 + number / 10))
            rest.append(UInt8(48 + number % 10))
        }
        let magnitude = abs(offset)
        let hours = magnitude / 3600
        let minutes = magnitude / 60 % 60
        let seconds = magnitude % 60
        // Three colons omit trailing zero parts.
        if style.colons < 3 || minutes + seconds > 0 {
            if style.colons > 0 { rest.append(Byte.colon) }
            two(minutes)
        }
        if style.colons == 2 || (style.colons == 3 && seconds > 0) {
            rest.append(Byte.colon)
            two(seconds)
        }
        var hourDigits: [UInt8] = []
        NumberFormatting.append(hours, to: &hourDigits)
        let padding = style.padding == Byte.space ? Byte.space : 48
        let wanted = max(2, (style.width ?? 0) - rest.count - 1)
        let missing = max(0, wanted - hourDigits.count)
        let sign = offset < 0 ? Byte.dash : UInt8(ascii: "+")
        if padding == Byte.space {
            for _ in 0..<missing { bytes.append(Byte.space) }
            bytes.append(sign)
        } else {
            bytes.append(sign)
            for _ in 0..<missing { bytes.append(48) }
        }
        bytes.append(contentsOf: hourDigits)
        bytes.append(contentsOf: rest)
        return true
    }
}
