/// A JSON text (RFC 8259) that was checked as a whole: form, depth, escapes and UTF-8.
///
/// It keeps the bytes and a flat index of the values in them; strings and numbers are made only
/// when they are asked for.
package final class JSONDocument: Sendable {
    /// Maximum nesting depth of arrays and objects.
    package static let depthLimit = 64

    /// How strings that contain U+0000 or half of a surrogate pair are handled.
    package enum FlawedStrings: Sendable {
        /// The whole text is rejected; the error names the field.
        case refused
        /// They are kept and `JSONNode.flaw` reports them, for texts with other usable parts and
        /// for data stored by earlier versions. A lone surrogate reads as U+FFFD.
        case kept
    }

    let bytes: [UInt8]
    let entries: [JSONEntry]
    /// In ascending order of their entries.
    let flaws: [JSONFlaw]

    /// Parses one value; anything but white space after it is an error.
    package convenience init(
        _ data: some Collection<UInt8>,
        flawedStrings: FlawedStrings = .refused
    ) throws(JSONError) {
        try self.init(bytes: Array(data), flawedStrings: flawedStrings)
    }

    package init(
        bytes: [UInt8],
        flawedStrings: FlawedStrings = .refused
    ) throws(JSONError) {
        guard bytes.count < UInt32.max else {
            throw JSONError(.tooLong, offset: 0)
        }
        let result: Result<JSONScanner.Findings, JSONError> = bytes.withUnsafeBufferPointer {
            var scanner = JSONScanner($0)
            do throws(JSONError) {
                try scanner.scan()
                return .success(scanner.findings)
            } catch {
                return .failure(error)
            }
        }
        let findings = try result.get()
        entries = findings.entries
        flaws = findings.flaws
        self.bytes = bytes
        if flawedStrings == .refused, let flaw = flaws.first {
            throw JSONError(
                flaw.code,
                offset: Int(entries[flaw.entry].start),
                path: root.path(to: flaw)
            )
        }
    }

    /// The top-level value.
    package var root: JSONNode { JSONNode(document: self, index: 0) }
}
