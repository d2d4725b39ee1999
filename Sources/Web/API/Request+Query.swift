import Hummingbird
import WebPages

extension Request {
    /// The parameters in the address, read as forms write them: a plus sign is a space.
    var query: FormFields { FormFields(urlEncoded: uri.query ?? "") }
}
