import HTTPTypes
import Model
import WebPages

/// Why a page cannot be shown.
enum PageError: Error, Equatable {
    case notFound
    case notAllowed
    /// The act would reach workspaces of which the member is no administrator.
    case memberElsewhere
    /// The form's token is not the session's: it was open too long, or came from elsewhere.
    case staleForm
    /// A field has U+0000, which no text can hold.
    case nullInField(String)
    case failed
    /// Nothing can be stored or read now.
    case unavailable

    var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .notAllowed, .memberElsewhere: .forbidden
        case .staleForm: .forbidden
        case .nullInField: .badRequest
        case .failed: .internalServerError
        case .unavailable: .serviceUnavailable
        }
    }
}

/// The page in place of one that cannot be shown.
struct ErrorPage {
    let title: String
    let text: String
    let homeAddress: String

    init(_ problem: PageError, words: Words) {
        switch problem {
        case .notFound:
            title = words("problem.not_found.title")
            text = words("problem.not_found.text")
        case .notAllowed:
            title = words("problem.not_allowed.title")
            text = words("problem.not_allowed.text")
        case .memberElsewhere:
            title = words("problem.not_allowed.title")
            text = words(RefusalError(.memberElsewhere).reason)
        case .staleForm:
            title = words("problem.stale_form.title")
            text = words("problem.stale_form.text")
        case .nullInField(let field):
            title = words("problem.null_in_field.title")
            text = words("problem.null_in_field.text", ["field": field])
        case .failed:
            title = words("problem.failed.title")
            text = words("problem.failed.text")
        case .unavailable:
            title = words("problem.unavailable.title")
            text = words("problem.unavailable.text")
        }
        homeAddress = ConsolePath.overview.path
    }
}
