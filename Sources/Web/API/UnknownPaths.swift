import HTTPTypes
import Hummingbird

/// Answers in JSON where there is no such path, or where it has another method.
///
/// Browsers, which ask for HTML, get the pages' own answer.
struct UnknownPaths<Context: RequestContext>: RouterMiddleware {
    private let methods: [String: Set<String>]

    /// - Parameter others: Paths beside the endpoints' and what they take.
    init(endpoints: [RESTEndpoint], others: [String: Set<String>] = [:]) {
        methods = Dictionary(
            endpoints.map { ($0.path, [$0.method.rawValue]) } + others.map { ($0.key, $0.value) },
            uniquingKeysWith: { $0.union($1) }
        )
    }

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            let path = request.uri.path
            if let allowed = methods.first(where: { Self.matches(path, $0.key) })?.value,
                !allowed.contains(request.method.rawValue)
            {
                let list = allowed.sorted().joined(separator: ", ")
                let problem = APIProblem(
                    .methodNotAllowed,
                    "\(path) does not take \(request.method.rawValue); use \(list)"
                )
                var response = try problem.response(from: request, context: context)
                response.headers[.allow] = list
                return response
            }
            if request.headers[.accept]?.contains("text/html") == true { throw error }
            throw APIProblem(.notFound, "there is no \(path); /docs/api lists what there is")
        }
    }

    /// Whether a path is the one of an endpoint, whose variable parts stand in braces.
    private static func matches(_ path: String, _ pattern: String) -> Bool {
        guard pattern.contains("{") else { return path == pattern }
        let parts = path.split(separator: "/")
        let patterns = pattern.split(separator: "/")
        return parts.count == patterns.count
            && zip(parts, patterns).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
    }
}
