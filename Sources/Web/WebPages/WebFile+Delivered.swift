extension WebFile {
    /// What a browser gets: scripts and style sheets without what is only for people who read them,
    /// comments on lines of their own, indentation, and spaces beside braces and operators.
    package var delivered: [UInt8] {
        switch fileExtension {
        case "js": Array(Self.withoutComments(script: text).utf8)
        case "css": Array(Self.withoutComments(styles: text).utf8)
        default: bytes
        }
    }

    /// A line of a text between backticks is none of the script's own, whatever it begins with.
    /// Statements end with a semicolon or a brace, so that lines can follow one another where one ends
    /// with something that goes on, or the next begins so. None is empty, so that the last of a block
    /// needs no semicolon.
    private static func withoutComments(script: String) -> String {
        var isInText = false
        var kept = ""
        // Whether the next line can follow without a line break, and whether some can.
        var goesOn = true
        var isPlain = true
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = isInText ? line : line.drop { $0 == " " }
            let isComment =
                code.hasPrefix("//")
                || code.hasPrefix("/*") && code.firstRange(of: "*/")?.upperBound == code.endIndex
            if !isInText, isComment || code.isEmpty { continue }
            let begins = !isInText && code.first.map { "})].?:&|".contains($0) } == true
            if !goesOn, !(isPlain && begins) { kept += "\n" }
            if isPlain, !isInText, code.first == "}", kept.last == ";" { kept.removeLast() }
            kept += isInText ? String(code) : withoutSpaces(besideOperatorsOf: code)
            let wasInText = isInText
            if line.count(where: { $0 == "`" }) % 2 == 1 { isInText.toggle() }
            // What follows a comment has to be in a line of its own.
            isPlain = !wasInText && !isInText && !code.contains("//")
            goesOn = isPlain && code.last.map { ";{,([".contains($0) } == true
        }
        return kept
    }

    /// Spaces mean nothing beside these characters, outside of quotation marks; beside a plus or a
    /// minus they may. A line with a slash outside of them, or with texts between backticks within
    /// one another, may hold more than code and stays as it is.
    private static func withoutSpaces(besideOperatorsOf line: Substring) -> String {
        guard [0, 2].contains(line.count { $0 == "`" }) else { return String(line) }
        let operators: Set<Character> = [
            "{", "}", "(", ")", "[", "]", ",", ";", "=", "!", "&", "|", "?", ":", "<", ">", "*",
        ]
        var kept = ""
        var quote: Character?
        var isSpaced = false
        for character in line {
            if quote == nil, character == " " {
                isSpaced = true
                continue
            }
            if isSpaced, !operators.contains(character),
                kept.last.map({ !operators.contains($0) }) ?? false
            {
                kept += " "
            }
            isSpaced = false
            if quote == nil, character == "/" { return String(line) }
            if quote == nil, character == "}", kept.last == ";" { kept.removeLast() }
            if character == quote, kept.last != "\\" {
                quote = nil
            } else if quote == nil, "\"'`".contains(character) {
                quote = character
            }
            kept.append(character)
        }
        return kept
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
        return withoutSpaces(in: code)
    }

    /// Spaces and line breaks mean nothing beside these characters, outside of quotation marks; the last
    /// semicolon of a rule is not needed.
    private static func withoutSpaces(in styles: String) -> String {
        var kept = ""
        // The quotation mark that ends the string at this place.
        var end: Character?
        for character in styles {
            if let quote = end {
                if character == quote, kept.last != "\\" { end = nil }
                kept.append(character)
                continue
            }
            switch character {
            case "\"", "'": end = character
            case " ", "\n":
                if kept.last.map({ " {};,:>".contains($0) }) ?? true { continue }
                kept.append(" ")
                continue
            case "{", "}", ";", ",", ">":
                if kept.last == " " { kept.removeLast() }
                if character == "}", kept.last == ";" { kept.removeLast() }
            default: break
            }
            kept.append(character)
        }
        return kept
    }
}
