/// Where objects are: a bucket, and what their keys begin with, such as `s3://tea/backups`.
package struct BucketAddress: Sendable, Hashable, CustomStringConvertible {
    /// What tells an address from the path of a folder.
    private static let scheme = "s3://"
    private static let longestPrefix = 512

    package let bucket: String
    /// Without a slash at either end; empty for the whole bucket.
    package let prefix: String

    package static func isOne(_ text: String) -> Bool { text.hasPrefix(scheme) }

    /// - Throws: `BucketError.address`.
    package init(_ text: String) throws(BucketError) {
        guard Self.isOne(text) else {
            throw .address(text, "use s3://BUCKET/PREFIX, such as s3://tea/backups")
        }
        let parts = text.dropFirst(Self.scheme.count).split(
            separator: "/",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        bucket = String(parts[0])
        guard Self.isName(bucket) else {
            throw .address(
                text,
                "a bucket's name has 3 to 63 small letters, digits, dots and hyphens"
            )
        }
        var rest = parts.count > 1 ? parts[1] : ""
        while rest.last == "/" { rest.removeLast() }
        prefix = String(rest)
        let folders = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard prefix.utf8.count <= Self.longestPrefix,
            prefix.isEmpty || folders.allSatisfy({ !["", ".", ".."].contains($0) }),
            prefix.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else {
            throw .address(
                text,
                "a prefix has at most \(Self.longestPrefix) bytes, with names between its slashes"
            )
        }
    }

    /// The key of an object below the prefix.
    package func key(_ name: String) -> String { prefix.isEmpty ? name : prefix + "/" + name }

    package var description: String {
        Self.scheme + bucket + (prefix.isEmpty ? "" : "/" + prefix)
    }

    private static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        func isLetterOrDigit(_ byte: UInt8?) -> Bool {
            guard let byte else { return false }
            return (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
        }
        return (3...63).contains(bytes.count) && isLetterOrDigit(bytes.first)
            && isLetterOrDigit(bytes.last) && !name.contains("..")
            && bytes.allSatisfy { isLetterOrDigit($0) || $0 == 0x2d || $0 == 0x2e }
    }
}
