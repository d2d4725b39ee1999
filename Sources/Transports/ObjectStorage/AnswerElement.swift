/// An element of an answer in XML: the part of the language that stores of objects use.
struct AnswerElement: Sendable {
    /// What is not XML, and where.
    struct Unreadable: Error {
        var reason: String
    }

    /// Without the prefix of a namespace.
    var name: String
    var text = ""
    var children: [AnswerElement] = []

    func all(_ name: String) -> [AnswerElement] { children.filter { $0.name == name } }

    func text(_ name: String) -> String? { children.first { $0.name == name }?.text }

    /// Reads a document.
    init(reading bytes: some Sequence<UInt8>) throws(Unreadable) {
        var reader = AnswerReader(bytes: Array(bytes))
        self = try reader.document()
    }

    init(name: String) {
        self.name = name
    }
}
