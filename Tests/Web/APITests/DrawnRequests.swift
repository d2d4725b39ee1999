import Foundation
import NoroshiWire

/// Draws requests from a description: most fit it, some have a part that does not.
struct DrawnRequests {
    /// A generator with a seed, so that what was found is found again (SplitMix64).
    struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let strange: [JSONValue] = [
        .null, .bool(true), .integer(0), .integer(-1), .integer(.max), .integer(.min),
        .number(1e300), .number(-0.5), "", " ", "\u{0}", "👨‍👩‍👧‍👦", "2026-02-30", "9999-99-99T99:99:99Z",
        "00000000-0000-0000-0000-000000000000", "{{", "{% if %}", "'; DROP TABLE profiles; --",
        "../../etc/passwd", "%00", .string(String(repeating: "ä", count: 3000)), [], [[]],
        [.null], .object([:]), ["": [:]], ["$where": 1], ["__proto__": []],
        .array(Array(repeating: "x", count: 101)),
    ]

    private let schemas: [String: JSONValue]
    /// Values that exist on the server, by the name of their field.
    private let known: [String: [JSONValue]]
    private var dice: Dice

    init(_ description: JSONValue, known: [String: [JSONValue]], seed: UInt64) {
        schemas = description["components"]?["schemas"]?.objectValue ?? [:]
        self.known = known
        dice = Dice(state: seed)
    }

    mutating func body(_ operation: JSONValue) -> JSONValue {
        draw(
            operation["requestBody"]?["content"]?["application/json"]?["schema"] ?? [:],
            "",
            depth: 0
        )
    }

    /// The path with its variable parts and some of its parameters.
    mutating func path(_ path: String, _ operation: JSONValue) -> String {
        var path = path
        var items: [URLQueryItem] = []
        let needed = (operation["x-one-of"]?.arrayValue ?? []).compactMap {
            $0.arrayValue?.randomElement(using: &dice)
        }
        for parameter in operation["parameters"]?.arrayValue ?? [] {
            guard let name = parameter["name"]?.stringValue else { continue }
            let value = Self.text(draw(parameter["schema"] ?? [:], name, depth: 0))
            if parameter["in"] == "path" {
                var safe = CharacterSet.alphanumerics
                safe.insert(charactersIn: "-_")
                let part = value.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
                path = path.replacing("{\(name)}", with: part.isEmpty ? "x" : part)
            } else if parameter["in"] == "query",
                parameter["required"] == true || needed.contains(.string(name)) || chance(0.5)
            {
                items.append(URLQueryItem(name: name, value: value))
            }
        }
        guard !items.isEmpty else { return path }
        var components = URLComponents()
        components.queryItems = items
        return "\(path)?\((components.percentEncodedQuery ?? "").replacing("+", with: "%2B"))"
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .bool(let flag): String(flag)
        case .array(let list): list.first.map(text) ?? ""
        default: ""
        }
    }

    private mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &dice) < share
    }

    private mutating func draw(_ schema: JSONValue, _ name: String, depth: Int) -> JSONValue {
        if chance(0.04) { return Self.strange.randomElement(using: &dice) ?? .null }
        if let values = known[name], chance(0.7), let value = values.randomElement(using: &dice) {
            return value
        }
        if let reference = schema["$ref"]?.stringValue {
            let target = schemas[String(reference.split(separator: "/").last ?? "")] ?? [:]
            return draw(target, name, depth: depth)
        }
        if schema["type"] == nil, let choices = schema["anyOf"]?.arrayValue,
            let choice = choices.randomElement(using: &dice)
        {
            return draw(choice, name, depth: depth)
        }
        if let fixed = schema["const"] { return fixed }
        if let values = schema["enum"]?.arrayValue, let value = values.randomElement(using: &dice) {
            return value
        }
        let types = schema["type"]?.arrayValue ?? schema["type"].map { [$0] } ?? []
        switch types.randomElement(using: &dice)?.stringValue {
        case "object": return object(schema, depth: depth)
        case "array":
            let most = min(3, Int(schema["maxItems"]?.integerValue ?? 3))
            let count = Int.random(in: 0...max(1, most), using: &dice)
            return .array(
                (0..<count).map { _ in draw(schema["items"] ?? [:], name, depth: depth + 1) }
            )
        case "integer":
            let least = schema["minimum"]?.integerValue ?? -5
            let most = schema["maximum"]?.integerValue ?? max(least, 100)
            return .integer(Int64.random(in: least...max(least, most), using: &dice))
        case "number":
            let least = schema["minimum"]?.doubleValue ?? -5
            return .number(Double.random(in: least...least + 100, using: &dice))
        case "boolean": return .bool(chance(0.5))
        case "null": return .null
        case "string": return text(schema)
        default: return Self.strange.randomElement(using: &dice) ?? .null
        }
    }

    private mutating func object(_ schema: JSONValue, depth: Int) -> JSONValue {
        let required = Set((schema["required"]?.arrayValue ?? []).compactMap(\.stringValue))
        var object: [String: JSONValue] = [:]
        let properties = schema["properties"]?.objectValue ?? [:]
        let needed = schema["anyOf"]?.arrayValue?.randomElement(using: &dice)?["required"]?
            .arrayValue?.first?.stringValue
        for (name, property) in properties.sorted(by: { $0.key < $1.key }) {
            let isNeeded = required.contains(name) || name == needed
            let share = isNeeded ? 0.97 : depth > 5 ? 0.1 : 0.5
            if chance(share) { object[name] = draw(property, name, depth: depth + 1) }
        }
        if schema["additionalProperties"] != false, chance(0.2) {
            object["made_up"] = Self.strange.randomElement(using: &dice)
        }
        return .object(object)
    }

    private mutating func text(_ schema: JSONValue) -> JSONValue {
        if schema["format"] == "uuid" {
            return .string(UUID(uuidString: Self.uuid(dice.next(), dice.next()))?.uuidString ?? "")
        }
        if schema["examples"]?.arrayValue?.first?.stringValue?.hasPrefix("20") == true {
            let times = ["2026-07-04T18:30:00Z", "2026-07-04", "2030-01-01T00:00:00+09:00"]
            return .string(times.randomElement(using: &dice) ?? "")
        }
        let least = Int(schema["minLength"]?.integerValue ?? 0)
        let letters = Array("abcXYZ019 -_.äé日€$/")
        let count = max(least, Int.random(in: 0...12, using: &dice))
        return .string(String((0..<count).compactMap { _ in letters.randomElement(using: &dice) }))
    }

    private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        let digits = [high, low].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(Array(digits)[range])
        }.joined(separator: "-")
    }
}
