/// Hand-written equivalents of the regular expressions of the reference's lenient parsers.
extension Markup {
    /// The end of a quoted string at `index`; `nil` if there is none or it is not terminated.
    func quotedEnd(_ index: Int) -> Int? {
        guard index < end else { return nil }
        let quote = bytes[index]
        guard quote == Byte.quote || quote == Byte.apostrophe else { return nil }
        var position = index + 1
        while position < end {
            if bytes[position] == quote { return position + 1 }
            position += 1
        }
        return nil
    }

    /// The end of a run of quoted strings and of characters other than spaces, commas, pipes and
    /// quotes, starting at `index`.
    func runEnd(_ index: Int) -> Int? {
        var position = index
        while position < end {
            let byte = bytes[position]
            if byte == Byte.quote || byte == Byte.apostrophe {
                guard let close = quotedEnd(position) else { break }
                position = close
            } else if byte.isWhitespace || byte == Byte.comma || byte == Byte.pipe {
                break
            } else {
                position += 1
            }
        }
        return position > index ? position : nil
    }

    /// The end of a fragment at `index`: a single quoted string, or a run.
    func fragmentEnd(_ index: Int) -> Int? { quotedEnd(index) ?? runEnd(index) }

    /// The first fragment at or after `index`.
    func fragment(from index: Int) -> (start: Int, end: Int)? {
        var position = index
        while position < end {
            if let close = fragmentEnd(position) { return (position, close) }
            position += 1
        }
        return nil
    }

    func skipWhitespace(_ index: Int) -> Int {
        var position = index
        while position < end, bytes[position].isWhitespace { position += 1 }
        return position
    }

    /// The end of a run of `[\w-]` at `index`.
    func segmentEnd(_ index: Int) -> Int {
        var position = index
        while position < end, bytes[position].isSegment { position += 1 }
        return position
    }

    func wordEnd(_ index: Int) -> Int {
        var position = index
        while position < end, bytes[position].isWord { position += 1 }
        return position
    }

    /// Calls `body` with the name and the value of every `name: value` in the markup.
    func forEachAttribute(
        _ body: (_ name: String, _ value: Markup) throws(LiquidError) -> Void
    ) throws(LiquidError) {
        var position = start
        while position < end {
            guard bytes[position].isWord else {
                position += 1
                continue
            }
            let nameEnd = segmentEnd(position)
            let colon = skipWhitespace(nameEnd)
            guard colon < end, bytes[colon] == Byte.colon else {
                position = nameEnd
                continue
            }
            let valueStart = skipWhitespace(colon + 1)
            guard let valueEnd = fragmentEnd(valueStart) else {
                position = colon + 1
                continue
            }
            try body(text(position, nameEnd), part(valueStart, valueEnd))
            position = valueEnd
        }
    }
}
