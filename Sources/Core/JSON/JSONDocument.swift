/// A JSON text (RFC 8259) that was checked as a whole: form, depth, escapes and UTF-8.
///
/// It keeps the bytes and a flat index of the values in them; strings and numbers are made only
/// when they are asked for.
package final class JSONDocument: Sendable {
    /// The deepest nesting of arrays and objects.
    package static let depthLimit = 64

    let bytes: [UInt8]
    let entries: [JSONEntry]

    /// Checks one value; anything but white space behind it is an error.
    package convenience init(_ data: some Collection<UInt8>) throws(JSONError) {
        try self.init(bytes: Array(data))
    }

    package init(bytes: [UInt8]) throws(JSONError) {
        guard bytes.count < UInt32.max else {
            throw JSONError(message: "the text is too long", offset: 0)
        }
        let result: Result<[JSONEntry], JSONError> = bytes.withUnsafeBufferPointer {
            var scanner = JSONScanner($0)
            do throws(JSONError) {
                try scanner.scan()
                return .success(scanner.entries)
            } catch {
                return .failure(error)
            }
        }
        entries = try result.get()
        self.bytes = bytes
    }

    /// The value the text consists of.
    package var root: JSONNode { JSONNode(document: self, index: 0) }
}
