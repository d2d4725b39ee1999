import NoroshiWire

/// A property of a message with a short list of values, such as the orientation.
///
/// An entry in ``all`` makes it a field of the form, a line of the message's page and part of the
/// saved content. Its texts are `in_app.<name>` and `in_app.<name>.<value>`.
struct InAppChoice: Sendable {
    static let all = [
        InAppChoice("orientation", \.orientation, unstated: "any", [.portrait, .landscape]),
        InAppChoice("text_alignment", \.textAlignment, unstated: "usual", [.start, .center, .end]),
    ]

    /// The name in the form, after the variant's prefix.
    let name: String
    /// The default value, which is never stored.
    let unstated: String
    private let stated: [String]
    private let read: @Sendable (InAppMessage) -> String?
    private let write: @Sendable (inout InAppMessage, String) -> Void

    private init<Value: RawRepresentable<String> & Sendable>(
        _ name: String,
        _ property: any WritableKeyPath<InAppMessage, Value?> & Sendable,
        unstated: String,
        _ values: [Value]
    ) {
        self.name = name
        self.unstated = unstated
        stated = values.map(\.rawValue)
        read = { $0[keyPath: property]?.rawValue }
        write = { message, value in
            message[keyPath: property] = value == unstated ? nil : Value(rawValue: value)
        }
    }

    /// The selectable values, the default first.
    var values: [String] { [unstated] + stated }
    var wordKey: String { "in_app.\(name)" }

    func wordKey(of value: String) -> String { "\(wordKey).\(value)" }

    func value(in message: InAppMessage) -> String { read(message) ?? unstated }

    func set(_ value: String, in message: inout InAppMessage) { write(&message, value) }
}
