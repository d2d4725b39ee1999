/// `date`
enum DateFilters {
    /// The cost of reading a date, in nodes.
    private static let stepsOfDate = 16

    static let table: [String: Filter] = [
        "date": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let format = renderer.plainText(arguments.required(0))
            try renderer.spend(stepsOfDate)
            guard !format.isEmpty, let time = time(input, renderer) else { return input }
            let limit = renderer.options.limits.outputBytes
            return .string(try TimeFormat.text(format, time, limit: limit))
        }
    ]

    /// The time that a value means: a time, seconds since 1970, `now`, `today`, or a written date.
    static func time(_ value: LiquidValue, _ renderer: borrowing Renderer) -> LiquidTime? {
        let zone = renderer.options.timeZone
        switch value {
        case .time(let time): return time
        case .int(let seconds): return LiquidTime(seconds: seconds, zone: zone)
        case .string(let text):
            guard !text.isEmpty else { return nil }
            if text.utf8.allSatisfy(\.isDigit) {
                return LiquidTime(seconds: Numbers.leadingInteger(text), zone: zone)
            }
            let now = LiquidTime(
                seconds: renderer.now.seconds,
                nanoseconds: renderer.now.nanoseconds,
                zone: zone
            )
            if text.utf8.count <= 5 {
                let word = text.lowercased()
                if word == "now" || word == "today" { return now }
            }
            return DateParser.time(text, zone: zone, now: now)
        default: return nil
        }
    }
}
