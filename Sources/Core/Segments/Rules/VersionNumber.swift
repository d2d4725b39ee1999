/// The order of dotted versions: `2.9` < `2.10` < `2.10.1`; `1.0` equals `1`.
///
/// Each part is compared by its leading digits, then by what follows them, where a part that
/// ends earlier (`3`) comes after one with a suffix (`3-beta`).
package enum VersionNumber {
    /// Negative, zero or positive if the first version is older, the same or newer.
    package static func order(_ left: String, _ right: String) -> Int {
        let leftParts = left.split(separator: ".", omittingEmptySubsequences: false)
        let rightParts = right.split(separator: ".", omittingEmptySubsequences: false)
        for index in 0..<max(leftParts.count, rightParts.count) {
            let leftPart = index < leftParts.count ? leftParts[index] : "0"
            let rightPart = index < rightParts.count ? rightParts[index] : "0"
            let order = orderOfParts(leftPart, rightPart)
            if order != 0 { return order }
        }
        return 0
    }

    private static func orderOfParts(_ left: Substring, _ right: Substring) -> Int {
        let leftDigits = left.prefix { $0.isASCII && $0.isNumber }
        let rightDigits = right.prefix { $0.isASCII && $0.isNumber }
        let leftNumber = leftDigits.drop { $0 == "0" }
        let rightNumber = rightDigits.drop { $0 == "0" }
        let leftSuffix = left.dropFirst(leftDigits.count)
        let rightSuffix = right.dropFirst(rightDigits.count)
        let leftKey = (leftNumber.count, leftNumber, leftSuffix.isEmpty ? 1 : 0, leftSuffix)
        let rightKey = (rightNumber.count, rightNumber, rightSuffix.isEmpty ? 1 : 0, rightSuffix)
        if leftKey < rightKey { return -1 }
        return rightKey < leftKey ? 1 : 0
    }
}
