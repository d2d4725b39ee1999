import NoroshiWire

/// What a line of a file means for the row that it describes.
package struct ContentComparison: Sendable, Hashable {
    /// The number of the line.
    package let line: Int
    /// The row as the file would have it if it were exported now; `nil` if it is new.
    package let before: JSONValue?
    /// The row as it would be exported afterwards.
    package let after: JSONValue

    package var isChanged: Bool { before != after }
}
