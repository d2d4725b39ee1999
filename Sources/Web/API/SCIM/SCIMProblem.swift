import Accounts
import HTTPTypes
import Ingestion
import Model

/// A refusal in the words of SCIM (RFC 7644, section 3.12).
struct SCIMProblem: Error {
    /// What kind of refusal it is, where the standard has a name for it.
    enum Kind: String {
        case invalidFilter, invalidPath, invalidSyntax, invalidValue, mutability, noTarget
        case uniqueness
    }

    var status: HTTPResponse.Status
    var kind: Kind?
    var detail: String

    init(_ status: HTTPResponse.Status, _ kind: Kind?, _ detail: String) {
        self.status = status
        self.kind = kind
        self.detail = detail
    }

    static let noUser = SCIMProblem(.notFound, nil, "there is no user with this id")

    /// `nil` for what is no refusal of these endpoints.
    @Sendable
    static func problem(_ error: any Error) -> APIError? {
        let problem: SCIMProblem
        switch error {
        case let error as SCIMProblem: problem = error
        case let error as FieldProblem:
            problem = SCIMProblem(
                .badRequest,
                .invalidValue,
                error.field.isEmpty ? error.message : "'\(error.field)' \(error.message)"
            )
        case MemberRefusal.unknown: problem = noUser
        case MemberRefusal.taken:
            problem = SCIMProblem(.conflict, .uniqueness, "somebody has this userName already")
        case MemberRefusal.otherAddress:
            problem = SCIMProblem(
                .badRequest,
                .mutability,
                "a userName stays as it is; make another user"
            )
        case MemberRefusal.lastAdministrator:
            problem = SCIMProblem(
                .conflict,
                nil,
                "this is the last administrator who may sign in; make another one first"
            )
        case let busy as PasswordHasher.Busy:
            return APIError(
                .serviceUnavailable,
                "too many passwords are being looked at; send the same request again",
                retryAfterSeconds: busy.retryAfterSeconds
            )
        default: return nil
        }
        var answer = APIError(problem.status, problem.detail)
        answer.scimType = problem.kind?.rawValue
        return answer
    }
}
