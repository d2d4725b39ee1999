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
        guard template.contains("{{") || template.contains("{%") else { return template }
        var gist = ""
        var blocks: [Block] = []
        var rest = template[...]
        while let start = rest.firstRange(of: #/\{[\{%]/#) {
            let isOutput = rest[start].hasSuffix("{{")
            let after = rest[start.upperBound...]
            // A name's own brace may stand right before the tag's.
            guard let end = after.firstRange(of: isOutput ? #/\}\}(?!\})/# : #/%\}/#) else { break }
            let isShown = !blocks.contains(where: \.isHidden)
            let inside = rest[start.upperBound..<end.lowerBound]
            if isShown { gist += rest[..<start.lowerBound] }
            if !isOutput {
                pass(inside, &blocks)
            } else if isShown {
                gist += output(inside)
            }
            rest = rest[end.upperBound...]
        }
        if !blocks.contains(where: \.isHidden) { gist += rest }
        let text = gist.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.isEmpty ? template : text
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
        if let found = expression.firstMatch(of: #/\|\s*default:\s*(?:'([^']*)'|"([^"]*)")/#) {
            return String(found.1 ?? found.2 ?? "")
        }
        if let found = expression.firstMatch(of: #/\$\{([^}]*)/#) { return "[\(found.1)]" }
        let name = expression.prefix { $0 != "|" }.filter { $0 != "-" && !$0.isWhitespace }
        return name.isEmpty ? "" : "[\(name)]"
    }
}
