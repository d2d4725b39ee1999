import Content
import HTTPTypes
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Errors of the catalog endpoints, in the format that clients of Braze read.
enum CatalogAnswer {
    /// `nil` if the error is not one of these endpoints' own.
    @Sendable
    static func problem(_ error: any Error) -> APIError? {
        switch error {
        case let refusal as CatalogError:
            let status: HTTPResponse.Status =
                switch refusal.kind {
                case .invalid: .badRequest
                case .unknown: .notFound
                case .exists: .conflict
                }
            return problem(status, refusal)
        case let problem as FieldProblem:
            return self.problem(
                .badRequest,
                CatalogError(
                    .invalid,
                    code(of: problem.field),
                    problem.field.isEmpty
                        ? problem.reason
                        : Reason(
                            CatalogReason.field,
                            ["field": .text(problem.field), "reason": .reason(problem.reason)]
                        ),
                    at: [CatalogError.Parameter(problem.field, .null)]
                )
            )
        default: return nil
        }
    }

    private static func problem(
        _ status: HTTPResponse.Status,
        _ refusal: CatalogError
    ) -> APIError {
        APIError(
            status,
            "Invalid Request",
            errors: [
                [
                    "id": .string(refusal.code.rawValue), "message": .string(refusal.description),
                    "parameters": .array(refusal.parameters.map { .string($0.name) }),
                    "parameter_values": .array(refusal.parameters.map(\.value)),
                ]
            ]
        )
    }

    /// The error code of an invalid field, by the list or object that contains it.
    private static func code(of field: String) -> CatalogError.Code {
        let parts = field.split(separator: ".")
        switch parts.first {
        case "items" where parts.last == "id":
            return parts.count > 2 ? .invalidIDs : .idsNotStrings
        case "items": return .itemArrayInvalid
        case "selection": return .invalidSelection
        case "catalogs" where parts.contains("fields"), "fields":
            return parts.last == "type" ? .invalidFieldTypes : .invalidFields
        case "catalogs": return .catalogArrayInvalid
        default: return .arbitraryError
        }
    }
}
