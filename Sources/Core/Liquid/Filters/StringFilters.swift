/// Filters on text.
enum StringFilters {
    static let table: [String: Filter] = [
        "append": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let text = renderer.plainText(input)
            return try joined(text, renderer.plainText(arguments.required(0)), renderer)
        },
        "prepend": Filter(1) { (renderer, input, arguments) throws(LiquidError) in
            let text = renderer.plainText(arguments.required(0))
            return try joined(text, renderer.plainText(input), renderer)
        },
        "upcase": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(upcased(renderer.plainText(input)))
        },
        "downcase": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(downcased(renderer.plainText(input)))
        },
        "capitalize": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(capitalized(renderer.plainText(input)))
        },
        "strip": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(stripped(renderer.plainText(input), left: true, right: true))
        },
        "lstrip": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(stripped(renderer.plainText(input), left: true, right: false))
        },
        "rstrip": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(stripped(renderer.plainText(input), left: false, right: true))
        },
        "squish": Filter(0) { (renderer, input, _) throws(LiquidError) in
            input.isNull ? .null : .string(squished(renderer.plainText(input)))
        },
        "strip_newlines": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(replacingLineEnds(renderer.plainText(input), with: ""))
        },
        "newline_to_br": Filter(0) { (renderer, input, _) throws(LiquidError) in
            let text = replacingLineEnds(renderer.plainText(input), with: "<br />\n")
            try renderer.allow(bytes: text.utf8.count)
            return .string(text)
        },
        "replace": Filter(1...2, replace),
        "replace_first": Filter(1...2, replaceFirst),
        "replace_last": Filter(2, replaceLast),
        "remove": Filter(1, replace),
        "remove_first": Filter(1, replaceFirst),
        "remove_last": Filter(1, replaceLast),
        "truncate": Filter(0...2, truncate),
        "truncatewords": Filter(0...2, truncateWords),
        "split": Filter(1, split),
    ]

    private static func joined(
        _ left: String,
        _ right: String,
        _ renderer: borrowing Renderer
    ) throws(LiquidError) -> LiquidValue {
        try renderer.allow(bytes: left.utf8.count + right.utf8.count)
        return .string(left + right)
    }

    // MARK: - Case

    static func upcased(_ text: String) -> String {
        mapped(text, lower: 97, { $0 & 0xDF }) ?? text.uppercased()
    }

    static func downcased(_ text: String) -> String {
        mapped(text, lower: 65, { $0 | 0x20 }) ?? text.lowercased()
    }

    /// Changes the 26 letters from `lower` on; `nil` if the text is not plain ASCII.
    private static func mapped(
        _ text: String,
        lower: UInt8,
        _ change: (UInt8) -> UInt8
    ) -> String? {
        let utf8 = text.utf8
        guard utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return String(unsafeUninitializedCapacity: utf8.count) { buffer in
            var index = 0
            for byte in utf8 {
                buffer[index] = byte &- lower < 26 ? change(byte) : byte
                index += 1
            }
            return index
        }
    }

    private static func capitalized(_ text: String) -> String {
        guard let first = text.unicodeScalars.first else { return text }
        return upcased(String(first)) + downcased(String(text.unicodeScalars.dropFirst()))
    }

    // MARK: - White space

    private static func isStripped(_ byte: UInt8) -> Bool { byte.isWhitespace || byte == 0 }

    static func stripped(_ text: String, left: Bool, right: Bool) -> String {
        var part = text.utf8[...]
        if left { part = part.drop(while: isStripped) }
        if right {
            while let last = part.last, isStripped(last) { part = part.dropLast() }
        }
        return part.count == text.utf8.count ? text : String(Substring(part))
    }

    private static func squished(_ text: String) -> String {
        var bytes: [UInt8] = []
        var isInSpace = false
        for byte in stripped(text, left: true, right: true).utf8 {
            if byte.isWhitespace {
                if !isInSpace { bytes.append(Byte.space) }
                isInSpace = true
            } else {
                bytes.append(byte)
                isInSpace = false
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func replacingLineEnds(_ text: String, with replacement: String) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        for (index, byte) in source.enumerated() {
            if byte == 13, index + 1 < source.count, source[index + 1] == Byte.newline { continue }
            if byte == Byte.newline {
                bytes.append(contentsOf: replacement.utf8)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Replacing

    private static func replace(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let text = Array(renderer.plainText(input).utf8)
        let part = Array(renderer.plainText(arguments.required(0)).utf8)
        let replacement = Array(renderer.plainText(arguments[1] ?? .null).utf8)
        var result: [UInt8] = []
        if part.isEmpty {
            // The empty text matches before every character and at the end.
            for byte in text {
                if byte & 0xC0 != 0x80 { result.append(contentsOf: replacement) }
                result.append(byte)
                if result.count > renderer.options.limits.outputBytes { break }
            }
            result.append(contentsOf: replacement)
        } else {
            var from = 0
            while let found = ByteSearch.first(of: part, in: text, from: from) {
                result.append(contentsOf: text[from..<found])
                result.append(contentsOf: replacement)
                from = found + part.count
                if result.count > renderer.options.limits.outputBytes { break }
            }
            result.append(contentsOf: text[from...])
        }
        try renderer.allow(bytes: result.count)
        return .string(String(decoding: result, as: UTF8.self))
    }

    private static func replaceFirst(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let text = Array(renderer.plainText(input).utf8)
        let part = Array(renderer.plainText(arguments.required(0)).utf8)
        let replacement = renderer.plainText(arguments[1] ?? .null)
        let place = ByteSearch.first(of: part, in: text, from: 0)
        return try replacing(place, part.count, text, replacement, renderer)
    }

    private static func replaceLast(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let text = Array(renderer.plainText(input).utf8)
        let part = Array(renderer.plainText(arguments.required(0)).utf8)
        let place = part.isEmpty ? text.count : ByteSearch.last(of: part, in: text)
        let replacement = renderer.plainText(arguments[1] ?? .null)
        return try replacing(place, part.count, text, replacement, renderer)
    }

    private static func replacing(
        _ place: Int?,
        _ count: Int,
        _ text: [UInt8],
        _ replacement: String,
        _ renderer: borrowing Renderer
    ) throws(LiquidError) -> LiquidValue {
        var text = text
        if let place { text.replaceSubrange(place..<place + count, with: replacement.utf8) }
        try renderer.allow(bytes: text.count)
        return .string(String(decoding: text, as: UTF8.self))
    }

    // MARK: - Cutting

    private static func truncate(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        guard !input.isNull else { return .null }
        let text = renderer.plainText(input)
        let length = try Numbers.integer(arguments[0] ?? .int(50))
        let ending = renderer.plainText(arguments[1] ?? .string("..."))
        let characters = text.unicodeScalars
        guard characters.count > length else { return .string(text) }
        let kept = max(0, length &- ending.unicodeScalars.count)
        return .string(String(characters.prefix(kept)) + ending)
    }

    private static func truncateWords(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        guard !input.isNull else { return .null }
        let text = renderer.plainText(input)
        let count = max(1, try Numbers.integer(arguments[0] ?? .int(15)))
        let words = text.utf8.split(whereSeparator: isStripped)
        // The reference splits into one more word than requested: trailing white space counts as
        // that word.
        let startsMore =
            words.count > count
            || (words.count == count && text.utf8.last.map(isStripped) ?? false)
        guard startsMore else { return .string(text) }
        let ending = renderer.plainText(arguments[1] ?? .string("..."))
        let kept = words.prefix(count).map { String(Substring($0)) }.joined(separator: " ")
        return .string(kept + ending)
    }

    private static func split(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let text = renderer.plainText(input)
        let pattern = renderer.plainText(arguments.required(0))
        let limit = renderer.options.limits.elements
        var parts: [LiquidValue] = []
        if pattern == " " {
            for word in text.utf8.split(maxSplits: limit, whereSeparator: isStripped) {
                parts.append(.string(String(Substring(word))))
            }
        } else if pattern.isEmpty {
            for scalar in text.unicodeScalars.prefix(limit + 1) {
                parts.append(.string(String(scalar)))
            }
        } else {
            let bytes = Array(text.utf8)
            let separator = Array(pattern.utf8)
            var from = 0
            while let found = ByteSearch.first(of: separator, in: bytes, from: from) {
                parts.append(.string(String(decoding: bytes[from..<found], as: UTF8.self)))
                guard parts.count <= limit else { break }
                from = found + separator.count
            }
            parts.append(.string(String(decoding: bytes[from...], as: UTF8.self)))
            while case .string("")? = parts.last { parts.removeLast() }
        }
        try renderer.allow(elements: parts.count)
        return .array(parts)
    }
}
