import NoroshiWire

/// Reads JSON (RFC 8259) from untrusted bytes: depth and form are checked.
package enum JSONReader {
    /// Parses one value; anything but white space after it is an error.
    package static func read(
        _ data: some Collection<UInt8>,
        flawedStrings: JSONDocument.FlawedStrings = .refused
    ) throws(JSONError) -> JSONValue {
        try JSONDocument(data, flawedStrings: flawedStrings).root.value
    }
}
