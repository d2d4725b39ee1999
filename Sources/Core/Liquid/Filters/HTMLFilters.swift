/// Filters for HTML.
enum HTMLFilters {
    static let table: [String: Filter] = [
        "escape": Filter(0, escape),
        "h": Filter(0, escape),
        "escape_once": Filter(0, escapeOnce),
        "strip_html": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .string(stripped(renderer.plainText(input)))
        },
    ]

    private static func entity(_ byte: UInt8) -> StaticString? {
        switch byte {
        case Byte.ampersand: "&amp;"
        case Byte.less: "&lt;"
        case Byte.greater: "&gt;"
        case Byte.quote: "&quot;"
        case Byte.apostrophe: "&#39;"
        default: nil
        }
    }

    private static func escape(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        guard !input.isNull else { return .null }
        let text = renderer.plainText(input)
        guard text.utf8.contains(where: { entity($0) != nil }) else { return .string(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 { append(byte, to: &bytes) }
        try renderer.allow(bytes: bytes.count)
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        if let entity = entity(byte) {
            entity.withUTF8Buffer { bytes.append(contentsOf: $0) }
        } else {
            bytes.append(byte)
        }
    }

    private static func escapeOnce(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let source = Array(renderer.plainText(input).utf8)
        var bytes: [UInt8] = []
        for (index, byte) in source.enumerated() {
            if byte == Byte.ampersand, isEntity(source, index + 1) {
                bytes.append(byte)
            } else {
                append(byte, to: &bytes)
            }
        }
        try renderer.allow(bytes: bytes.count)
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether `name;` or `#12;` starts at `start`.
    private static func isEntity(_ bytes: [UInt8], _ start: Int) -> Bool {
        var index = start
        let isNumber = index < bytes.count && bytes[index] == Byte.hash
        if isNumber { index += 1 }
        let first = index
        while index < bytes.count, isNumber ? bytes[index].isDigit : bytes[index].isLetter {
            index += 1
        }
        return index > first && index < bytes.count && bytes[index] == Byte.semicolon
    }

    /// Removes scripts, styles and comments with their content, then all other tags.
    static func stripped(_ text: String) -> String {
        let tag = Array("<".utf8)
        guard text.utf8.contains(tag[0]) else { return text }
        let source = Array(text.utf8)
        let blocks = [("<script", "</script>"), ("<!--", "-->"), ("<style", "</style>")]
            .map { (Array($0.0.utf8), Array($0.1.utf8)) }
        // Once the end of a block is missing, do not search for it again.
        var isMissing = [false, false, false]
        var kept: [UInt8] = []
        var index = 0
        scan: while index < source.count {
            if source[index] == Byte.less {
                for (number, block) in blocks.enumerated() where !isMissing[number] {
                    guard source[index...].starts(with: block.0) else { continue }
                    guard
                        let end = ByteSearch.first(
                            of: block.1,
                            in: source,
                            from: index + block.0.count
                        )
                    else {
                        isMissing[number] = true
                        continue
                    }
                    index = end + block.1.count
                    continue scan
                }
            }
            kept.append(source[index])
            index += 1
        }
        var bytes: [UInt8] = []
        index = 0
        while index < kept.count {
            if kept[index] == Byte.less {
                guard let end = kept[index...].firstIndex(of: Byte.greater) else {
                    bytes.append(contentsOf: kept[index...])
                    break
                }
                index = end + 1
            } else {
                bytes.append(kept[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
