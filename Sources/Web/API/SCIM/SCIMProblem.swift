import HTTPTypes
import Model

/// What kind of refusal it is in the words of SCIM, where the standard (RFC 7644, section 3.12) has
/// a name for it.
enum SCIMProblem: String {
    case invalidFilter, invalidPath, invalidSyntax, invalidValue, mutability, noTarget
    case uniqueness

    /// `nil` for what is no refusal of these endpoints.
    @Sendable
    static func problem(_ error: any Error) -> APIError? {
        switch error {
        case let problem as FieldProblem: invalid(problem)
        case let error as ValidationError: error.problems.first.map(invalid)
        case let refusal as RefusalError: self.problem(refusal)
        default: nil
        }
    }

    private static func invalid(_ problem: FieldProblem) -> APIError {
        APIError(
            .badRequest,
            problem.field.isEmpty ? problem.message : "'\(problem.field)' \(problem.message)",
            scim: .invalidValue
        )
    }

    private static func problem(_ refusal: RefusalError) -> APIError? {
        switch refusal.code {
        case .noMember: .noUser
        case .memberTaken:
            APIError(.conflict, "somebody has this userName already", scim: .uniqueness)
        case .memberAddress:
            APIError(
                .badRequest,
                "a userName stays as it is; make another user",
                scim: .mutability
            )
        case .lastAdministrator, .memberElsewhere: APIError(.conflict, refusal.description)
        case .signInBusy:
            APIError(
                .serviceUnavailable,
                "too many passwords are being looked at; send the same request again",
                retryAfterSeconds: refusal.retryAfterSeconds
            )
        default: nil
        }
    }
}

extension APIError {
    static let noUser = APIError(.notFound, "there is no user with this id")

    init(_ status: HTTPResponse.Status, _ message: String, scim kind: SCIMProblem) {
        self.init(status, message)
        scimType = kind.rawValue
    }
}
