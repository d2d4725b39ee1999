import Ingestion
import Model
import NoroshiWire

extension RequestReader {
    /// The app's own identifier of a user: a text, or a whole number as its digits.
    func externalID(_ field: String) throws(FieldProblem) -> String? {
        guard let value = value(field) else { return nil }
        return try UserIdentifier.externalID(value, name(field))
    }

    func requiredExternalID(_ field: String) throws(FieldProblem) -> String {
        guard let id = try externalID(field) else { throw problem(field, .required) }
        return id
    }

    /// The app's own identifier of a user, or a list of them.
    func oneOrMoreExternalIDs(_ field: String, limit: Int) throws(FieldProblem) -> [String] {
        if value(field)?.arrayValue != nil { return try externalIDs(field, limit: limit) }
        return try externalID(field).map { [$0] } ?? []
    }

    /// A list of the app's own identifiers of users; empty if it is missing.
    func externalIDs(_ field: String, limit: Int) throws(FieldProblem) -> [String] {
        var ids: [String] = []
        for (index, value) in try list(field, limit: limit).enumerated() {
            ids.append(try UserIdentifier.externalID(value, name("\(field).\(index)")))
        }
        return ids
    }

    /// The number of a page of a list, from 0 on.
    func page() throws(FieldProblem) -> Int {
        try wholeNumber("page", RESTEndpoint.Parameter.pages) ?? 0
    }
}
