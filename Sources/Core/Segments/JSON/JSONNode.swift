/// A JSON value of any shape, between bytes and typed rules.
package indirect enum JSONNode: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case number(Double)
    /// A whole number that `number` cannot represent.
    case integer(Int64)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            // A failed attempt only means that the value has another type.
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            if number.magnitude >= 0x1p53, let integer = try? container.decode(Int64.self),
                integer.isBeyondDouble
            {
                self = .integer(integer)
            } else {
                self = .number(number)
            }
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSONNode].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number):
            if let integer = Int64(exactly: number) {
                try container.encode(integer)
            } else {
                try container.encode(number)
            }
        case .integer(let integer): try container.encode(integer)
        case .string(let string): try container.encode(string)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }
}
