import Reasons

/// What can be wrong with a JSON text.
package enum JSONReason: String, ReasonCode {
    package static let family = ReasonFamily.json

    case atByte = "{reason} at byte {offset}"
    case controlCharacter = "a control character in a string must be escaped"
    case endsInside = "the text ends inside an array or object"
    case endsInString = "the text ends inside a string"
    case fourDigits = "\\u needs four hexadecimal digits"
    case halfSurrogate = "contains half of a surrogate pair, which is no character"
    case inField = "'{field}' {reason}"
    case keyInQuotes = "an object's key must be a string in double quotes"
    case leadingZero = "a number may not begin with a zero"
    case moreBehind = "there is more behind the value"
    case noColon = "a colon must follow a key"
    case noComma = "a comma or a closing bracket is missing"
    case noDigit = "a digit is missing"
    case notAValue = "this is no JSON value; strings need double quotes"
    case notUTF8 = "a string is not valid UTF-8"
    case noValue = "the text ends where a value should begin"
    case nullCharacter = "must not contain U+0000"
    case tooDeep = "the value is nested deeper than {count} levels"
    case tooLarge = "this number is too large"
    case tooLong = "the text is too long"
    case unknownEscape = "this escape is unknown in JSON"
}
