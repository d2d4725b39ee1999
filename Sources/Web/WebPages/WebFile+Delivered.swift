extension WebFile {
    /// What a browser gets: scripts and style sheets without what is only for people who read them,
    /// comments on lines of their own, indentation, and in style sheets spaces beside braces.
    package var delivered: [UInt8] {
        switch fileExtension {
        case "js": Array(Self.withoutComments(script: text).utf8)
        case "css": Array(Self.withoutComments(styles: text).utf8)
        default: bytes
        }
    }

    /// A line of a text between backticks is none of the script's own, whatever it begins with.
    private static func withoutComments(script: String) -> String {
        var isInText = false
        var kept: [Substring] = []
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = isInText ? line : line.drop { $0 == " " }
            if !isInText, code.hasPrefix("//") { continue }
            kept.append(code)
            if line.count(where: { $0 == "`" }) % 2 == 1 { isInText.toggle() }
        }
        return kept.joined(separator: "\n")
    }

    private static func withoutComments(styles: String) -> String {
        var rest = styles[...]
        var code = ""
        while let start = rest.firstRange(of: "/*") {
            code += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "*/") else {
                rest = rest[start.lowerBound...]
                return code + rest
            }
            rest = rest[end.upperBound...]
        }
        code += rest
        let lines = code.split(separator: "\n")
            .map { $0.drop { $0 == " " } }
            .filter { !$0.isEmpty }
            .joined(separator: "\n")
        return withoutSpaces(besideBracesOf: lines) + "\n"
    }

    private static func withoutSpaces(besideBracesOf styles: String) -> String {
        var kept = ""
        // The quotation mark that ends the string at this place.
        var end: Character?
        for character in styles {
            if let quote = end {
                if character == quote, kept.last != "\\" { end = nil }
            } else if character == "\"" || character == "'" {
                end = character
            } else if character == "{" || character == "}" {
                while kept.last == " " { kept.removeLast() }
            } else if character == " ", kept.last == "{" {
                continue
            }
            kept.append(character)
        }
        return kept
    }
}
