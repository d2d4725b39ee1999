extension PostgresRules {
    /// `CAST` to SQLite's types. Numbers are read from texts as SQLite does, which takes what a text begins
    /// with.
    static func casts(_ pieces: inout [SQLPiece]) {
        for position in pieces.indices.dropLast()
        where pieces[position].isWord("CAST") && pieces[position + 1].kind == .group {
            let inside = pieces[position + 1].inside
            guard inside.count > 2, inside[inside.count - 2].isWord("AS") else { continue }
            let value = Array(inside.dropLast(2))
            switch inside[inside.count - 1].text {
            case "INTEGER":
                pieces.replaceSubrange(position...position + 1, with: call("as_integer", value))
            case "REAL":
                pieces.replaceSubrange(position...position + 1, with: call("as_real", value))
            case "BLOB":
                pieces.replaceSubrange(position...position + 1, with: call("as_bytes", value))
            default: break
            }
        }
    }

    /// Functions that PostgreSQL has under another name.
    static func functions(_ pieces: inout [SQLPiece]) {
        var position = pieces.count - 2
        while position >= 0 {
            defer { position -= 1 }
            guard pieces[position].kind == .word, pieces[position + 1].kind == .group else {
                continue
            }
            let inside = pieces[position + 1].inside
            let replacement: [SQLPiece]
            switch pieces[position].text {
            case "ifnull": replacement = call("coalesce", inside)
            case "instr": replacement = call("strpos", inside)
            case "iif":
                let parts = arguments(inside)
                guard parts.count == 3 else { continue }
                replacement = [
                    .group(
                        [.word("CASE"), .word("WHEN")] + parts[0] + [.word("THEN")] + parts[1]
                            + [.word("ELSE")] + parts[2] + [.word("END")]
                    )
                ]
            // Of the alphabet's letters only, whatever the database's language is.
            case "lower", "upper": replacement = folded(pieces[position].text, inside)
            case "round": replacement = call("rounded", inside)
            case "min", "max":
                guard let nested = nested(pieces[position].text, arguments(inside)) else {
                    continue
                }
                replacement = nested
            case "json_array", "json_object", "json_group_array", "json_group_object":
                replacement = [
                    .group(builtJSON(pieces[position].text, inside) + [.finished("::text")])
                ]
            default: continue
            }
            pieces.replaceSubrange(position...position + 1, with: replacement)
        }
    }

    /// The schema's functions of these names have two arguments.
    private static func nested(_ function: String, _ arguments: [[SQLPiece]]) -> [SQLPiece]? {
        guard arguments.count > 2, let first = arguments.first else { return nil }
        return arguments.dropFirst().reduce(first) { call(function, $0, $1) }
    }

    /// JSON as a value of that type: within other JSON it is no text.
    private static func builtJSON(_ function: String, _ inside: [SQLPiece]) -> [SQLPiece] {
        let functions = [
            "json_array": "json_build_array", "json_object": "json_build_object",
            "json_group_array": "json_agg", "json_group_object": "json_object_agg",
        ]
        var inside = inside
        for position in inside.indices.dropLast().reversed()
        where inside[position].kind == .word && inside[position + 1].kind == .group
            && functions[inside[position].text] != nil
        {
            let part = builtJSON(inside[position].text, inside[position + 1].inside)
            inside.replaceSubrange(position...position + 1, with: part)
        }
        let built = call(functions[function] ?? function, inside)
        switch function {
        case "json_group_array": return call("coalesce", built, [.finished("'[]'")])
        case "json_group_object": return call("coalesce", built, [.finished("'{}'")])
        default: return built
        }
    }

    private static func folded(_ function: String, _ value: [SQLPiece]) -> [SQLPiece] {
        let isSimple = operandEnd(from: 0, in: value) == value.count
        return call(function, (isSimple ? value : [.group(value)]) + [.finished("COLLATE \"C\"")])
    }

    // MARK: JSON

    /// `->>` and `->` of a text.
    static func readJSON(_ pieces: inout [SQLPiece]) {
        while let mark = pieces.firstIndex(where: { $0.isAnyMark(["->", "->>"]) }) {
            let start = operandStart(before: mark, in: pieces)
            let end = operandEnd(from: mark + 1, in: pieces)
            let function = pieces[mark].text == "->>" ? "json_text" : "json_part"
            let value = Array(pieces[start..<mark])
            let path = Array(pieces[(mark + 1)..<end])
            pieces.replaceSubrange(start..<end, with: call(function, value, steps(of: path)))
        }
    }

    /// The steps of a path: those of `'$.a.b[0]'` are `'{a,b,0}'`.
    private static func steps(of path: [SQLPiece]) -> [SQLPiece] {
        guard path.count == 1, path[0].kind == .text, path[0].text.hasPrefix("'$"),
            !path[0].text.contains("\"")
        else { return call("json_path", path) }
        let steps = path[0].text.dropFirst(2).dropLast().split {
            $0 == "." || $0 == "[" || $0 == "]"
        }
        return [.finished("'{\(steps.joined(separator: ","))}'")]
    }

    // MARK: Comparisons

    /// `COLLATE NOCASE` of one operand of a comparison, or of what rows are ordered or grouped by.
    static func compareWithoutCase(_ pieces: inout [SQLPiece]) {
        let comparisons: Set<String> = ["=", "==", "<>", "!=", "<", ">", "<=", ">="]
        while let collate = position(of: ["COLLATE", "NOCASE"], in: pieces) {
            let start = operandStart(before: collate, in: pieces)
            let value = folded("lower", Array(pieces[start..<collate]))
            pieces.replaceSubrange(start...collate + 1, with: value)
            let end = start + value.count
            if start > 0, pieces[start - 1].isAnyMark(comparisons) {
                let other = operandStart(before: start - 1, in: pieces)
                let operand = Array(pieces[other..<start - 1])
                if isFolded(operand) { continue }
                pieces.replaceSubrange(other..<start - 1, with: folded("lower", operand))
            } else if end < pieces.count, pieces[end].isAnyMark(comparisons) {
                let otherEnd = operandEnd(from: end + 1, in: pieces)
                let operand = Array(pieces[end + 1..<otherEnd])
                pieces.replaceSubrange(end + 1..<otherEnd, with: folded("lower", operand))
                if position(of: ["COLLATE", "NOCASE"], in: pieces) == end + 3 {
                    pieces.removeSubrange(end + 3...end + 4)
                }
            }
        }
    }

    private static func isFolded(_ operand: [SQLPiece]) -> Bool {
        operand.first?.text == "lower" && operand.last?.inside.last == .finished("COLLATE \"C\"")
    }

    /// `LIKE` does not mind the case of letters, and has no escape character unless it names one.
    static func like(_ pieces: inout [SQLPiece]) {
        var position = pieces.count - 1
        while position >= 0 {
            defer { position -= 1 }
            guard pieces[position].isWord("LIKE") else { continue }
            pieces[position].text = "ILIKE"
            let start = operandStart(before: operandBefore(position, in: pieces), in: pieces)
            let end = patternEnd(from: position + 1, in: pieces)
            if !(end < pieces.count && pieces[end].isWord("ESCAPE")) {
                pieces.insert(.finished("ESCAPE ''"), at: end)
            }
            let value = Array(pieces[start..<operandBefore(position, in: pieces)])
            pieces.replaceSubrange(
                start..<operandBefore(position, in: pieces),
                with: [.group(value + [.finished("COLLATE \"C\"")])]
            )
        }
    }

    private static func operandBefore(_ like: Int, in pieces: [SQLPiece]) -> Int {
        like > 0 && pieces[like - 1].isWord("NOT") ? like - 1 : like
    }

    /// A pattern may be put together: `'%' || ? || '%'`.
    private static func patternEnd(from start: Int, in pieces: [SQLPiece]) -> Int {
        var end = operandEnd(from: start, in: pieces)
        while end < pieces.count, pieces[end].isMark("||") {
            end = operandEnd(from: end + 1, in: pieces)
        }
        return end
    }

    /// `IS` and `IS NOT` between values. Of a parameter that is compared with `NULL` nothing tells the
    /// type, so that it is one of its own.
    static func isDistinct(_ pieces: inout [SQLPiece]) {
        var position = 0
        while position < pieces.count {
            defer { position += 1 }
            guard pieces[position].isWord("IS") else { continue }
            var end = position + 1
            if end < pieces.count, pieces[end].isWord("NOT") { end += 1 }
            guard end < pieces.count else { continue }
            if pieces[end].isWord("NULL") {
                if position > 0, pieces[position - 1].kind == .parameter {
                    pieces[position - 1].kind = .typelessParameter
                }
            } else if pieces[end].isAnyWord(["TRUE", "FALSE"]) {
                let start = operandStart(before: position, in: pieces)
                let value = call("truth", Array(pieces[start..<position]))
                pieces.replaceSubrange(start..<position, with: value)
                position = start + value.count
            } else if !pieces[end].isWord("DISTINCT") {
                let isNegated = end > position + 1
                pieces.replaceSubrange(
                    position..<end,
                    with: [.finished(isNegated ? "IS DISTINCT FROM" : "IS NOT DISTINCT FROM")]
                )
            }
        }
    }
}
