extension RESTEndpoint {
    /// A parameter of the query, or a header.
    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case query, header, path
        }

        var name: String
        var isRequired = false
        var schema = Schema.text
        var summary = ""
        var place = Place.query
        /// Parameters of which every request has one, this one among them; none if it stands alone.
        private(set) var alternatives: [String] = []

        /// The pages of a list.
        static let pages = 0...1_000_000
        static let page = Parameter(
            name: "page",
            schema: .integer(pages),
            summary: "The first page is 0."
        )

        /// Parameters of which every request has one; examples have the first.
        static func oneOf(_ parameters: [Parameter]) -> [Parameter] {
            let names = parameters.map(\.name)
            return parameters.map { parameter in
                var parameter = parameter
                parameter.alternatives = names
                return parameter
            }
        }

        /// What people read of it.
        var meaning: String {
            [summary, Alternatives.rule(alternatives)].filter { !$0.isEmpty }
                .joined(separator: " ")
        }

        /// Whether a request that is as short as possible has it.
        var isInExamples: Bool { isRequired || alternatives.first == name }
    }

    /// The lists of parameters of which every request has one each.
    var alternatives: [[String]] {
        parameters.filter { $0.alternatives.first == $0.name }.map(\.alternatives)
    }
}
