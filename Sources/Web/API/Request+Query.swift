import Hummingbird
import WebPages

extension Request {
    /// The query parameters, decoded like forms: a plus sign is a space.
    var query: FormFields { FormFields(urlEncoded: uri.query ?? "") }
}
