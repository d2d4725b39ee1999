/// A message's template as one reads it in a list: an attribute is its default, or its name in
/// brackets, and of a choice the first text is shown.
///
/// It renders nothing, so that a list of pushes costs no templates. A text without tags stays as it
/// is, and so does one of which nothing would be left.
enum TemplateGist {
    /// What a tag encloses.
    private struct Block {
        /// Whether its text is left out: a later branch of a choice, or what is only computed.
        var isHidden = false
        var branches = 0
    }

    private static let shown: Set<Substring> = [
        "if", "unless", "case", "for", "tablerow", "raw", "ifchanged",
    ]
    private static let hidden: Set<Substring> = ["capture", "comment"]

    static func text(_ template: String) -> String {
        var gist = ""
        var blocks: [Block] = []
        // By bytes, because lists hold many texts, and long ones.
        var rest = Substring(template).utf8
        var isPlain = true
        while let tag = Tag(firstIn: rest) {
            isPlain = false
            let isShown = !blocks.contains(where: \.isHidden)
            if isShown { gist += Substring(rest[..<tag.start]) }
            if !tag.isOutput {
                pass(tag.inside, &blocks)
            } else if isShown {
                gist += output(tag.inside)
            }
            rest = rest[tag.end...]
        }
        if isPlain { return template }
        if !blocks.contains(where: \.isHidden) { gist += Substring(rest) }
        let text = gist.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.isEmpty ? template : text
    }

    /// The first whole tag of a text.
    private struct Tag {
        let start: String.Index
        let end: String.Index
        let isOutput: Bool
        let inside: Substring

        init?(firstIn text: Substring.UTF8View) {
            var start = text.startIndex
            while let brace = text[start...].firstIndex(of: UInt8(ascii: "{")) {
                start = text.index(after: brace)
                guard start < text.endIndex else { return nil }
                let kind = text[start]
                guard kind == UInt8(ascii: "{") || kind == UInt8(ascii: "%") else { continue }
                isOutput = kind == UInt8(ascii: "{")
                self.start = brace
                let after = text[text.index(after: start)...]
                guard let close = Self.close(of: after, isOutput: isOutput) else { return nil }
                inside = Substring(after[..<close])
                end = text.index(close, offsetBy: 2)
                return
            }
            return nil
        }

        /// Where the two characters stand that end a tag.
        private static func close(
            of text: Substring.UTF8View,
            isOutput: Bool
        ) -> String.Index? {
            let first = UInt8(ascii: isOutput ? "}" : "%")
            var start = text.startIndex
            while let found = text[start...].firstIndex(of: first) {
                start = text.index(after: found)
                guard start < text.endIndex else { return nil }
                guard text[start] == UInt8(ascii: "}") else { continue }
                let next = text.index(after: start)
                // A name's own brace may stand right before the tag's.
                if isOutput, next < text.endIndex, text[next] == UInt8(ascii: "}") { continue }
                return found
            }
            return nil
        }
    }

    private static func pass(_ tag: Substring, _ blocks: inout [Block]) {
        let name = tag.drop { $0 == "-" || $0.isWhitespace }.prefix { $0.isLetter }
        if shown.contains(name) {
            blocks.append(Block(branches: name == "case" ? 0 : 1))
        } else if hidden.contains(name) {
            blocks.append(Block(isHidden: true))
        } else if name.hasPrefix("end") {
            _ = blocks.popLast()
        } else if ["else", "elsif", "when"].contains(name), let last = blocks.indices.last {
            blocks[last].branches += 1
            blocks[last].isHidden = blocks[last].isHidden || blocks[last].branches > 1
        }
    }

    /// The default of an expression, else what it names.
    private static func output(_ expression: Substring) -> String {
        let parts = parts(of: expression)
        for filter in parts.dropFirst() {
            if let text = fallback(of: filter) { return String(text) }
        }
        if let name = parts[0].firstRange(of: "${") {
            return "[\(parts[0][name.upperBound...].prefix { $0 != "}" })]"
        }
        let name = parts[0].filter { $0 != "-" && !$0.isWhitespace }
        return name.isEmpty ? "" : "[\(name)]"
    }

    /// What stands between the bars that are not within quotes.
    private static func parts(of expression: Substring) -> [Substring] {
        var parts: [Substring] = []
        var start = expression.startIndex
        var quote: UInt8?
        for (index, byte) in zip(expression.utf8.indices, expression.utf8) {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "|") {
                parts.append(expression[start..<index])
                start = expression.utf8.index(after: index)
            }
        }
        return parts + [expression[start...]]
    }

    /// The text of a filter `default`; `nil` for other filters, and for a default that is no text.
    private static func fallback(of filter: Substring) -> Substring? {
        var rest = filter.drop(while: \.isWhitespace)
        guard rest.hasPrefix("default") else { return nil }
        rest = rest.dropFirst("default".count).drop(while: \.isWhitespace)
        guard rest.first == ":" else { return nil }
        rest = rest.dropFirst().drop(while: \.isWhitespace)
        guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
        rest = rest.dropFirst()
        return rest.firstIndex(of: quote).map { rest[..<$0] }
    }
}
