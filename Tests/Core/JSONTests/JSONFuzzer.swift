import Foundation
import NoroshiWire

// The fuzzer compiles this file together with the reader, as one module.
#if !FUZZING
import JSON
#endif

/// One fuzzed text: our reader has to say about it what Foundation's says, and to read back what
/// our writer makes of it. Also used by the test that replays the corpus.
enum JSONFuzzer {
    struct Disagreement: Error, CustomStringConvertible {
        var description: String
    }

    static func run(_ text: [UInt8]) throws(Disagreement) {
        let ours: JSONValue
        do throws(JSONError) {
            ours = try JSONReader.read(text)
        } catch {
            guard error.offset <= text.count else {
                throw Disagreement(description: "the error is behind the text: \(error)")
            }
            if isStricter(text, error) { return }
            guard foundation(text) == nil else {
                throw Disagreement(description: "Foundation reads it, we do not: \(error)")
            }
            return
        }
        guard let theirs = foundation(text) else {
            throw Disagreement(description: "we read \(ours), Foundation nothing")
        }
        guard agrees(ours, theirs) else {
            throw Disagreement(description: "we read \(ours), Foundation \(theirs)")
        }
        let written = JSONWriter.text(ours)
        guard let again = try? JSONReader.read(written.utf8), again == ours else {
            throw Disagreement(description: "\(ours) is not what \(written) says")
        }
    }

    /// Where we refuse on purpose what Foundation takes: depth, numbers beyond a double, strings with
    /// U+0000 or half of a surrogate pair, a comma behind the last element, and other encodings than UTF-8 and its mark, which RFC 8259 forbids
    /// between systems.
    private static func isStricter(_ text: [UInt8], _ error: JSONError) -> Bool {
        if error.message.contains("deeper") || error.message.contains("too large") { return true }
        if error.path != nil { return true }
        let before = text.prefix(error.offset).last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        if before == UInt8(ascii: ","), error.offset < text.count,
            [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(text[error.offset])
        {
            return true
        }
        return text.prefix(4).contains(0) || text.starts(with: [0xEF, 0xBB, 0xBF])
            || text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE])
    }

    private static func foundation(_ text: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    }

    private static func agrees(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .bool(let flag): return (theirs as? NSNumber)?.boolValue == flag
        case .integer(let number):
            guard let other = theirs as? NSNumber else { return false }
            return other.int64Value == number || other.doubleValue == Double(number)
        case .number(let number):
            // Foundation goes through a decimal number, and misses the nearest double by a little.
            guard let other = (theirs as? NSNumber)?.doubleValue else { return false }
            return abs(other - number) <= abs(number) * 1e-14
        case .string(let text): return theirs as? String == text
        case .array(let elements):
            guard let others = theirs as? [Any], others.count == elements.count else {
                return false
            }
            return zip(elements, others).allSatisfy(agrees)
        case .object(let members):
            guard let others = theirs as? [String: Any], others.count == members.count else {
                return false
            }
            return members.allSatisfy { name, value in
                others[name].map { agrees(value, $0) } ?? false
            }
        }
    }
}
