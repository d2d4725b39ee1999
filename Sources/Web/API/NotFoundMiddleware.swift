import HTTPTypes
import Hummingbird

/// Responds in JSON to unknown paths and unsupported methods.
///
/// Browsers, which ask for HTML, get the pages' own response.
struct NotFoundMiddleware<Context: RequestContext>: RouterMiddleware {
    private let methods: [String: Set<String>]

    /// - Parameter others: Other paths with their methods.
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
                let problem = APIError(
                    .methodNotAllowed,
                    "\(path) does not take \(request.method.rawValue); use \(list)"
                )
                var response = try problem.response(from: request, context: context)
                response.headers[.allow] = list
                return response
            }
            if request.headers[.accept]?.contains("text/html") == true { throw error }
            throw APIError(
                .notFound,
                Absences.words(path).map { "there is no \(path): this server has \($0)" }
                    ?? "there is no \(path); /docs/api lists what there is"
            )
        }
    }

    /// Whether a path matches that of an endpoint, with its variable parts in braces.
    private static func matches(_ path: String, _ pattern: String) -> Bool {
        guard pattern.contains("{") else { return path == pattern }
        let parts = path.split(separator: "/")
        let patterns = pattern.split(separator: "/")
        return parts.count == patterns.count
            && zip(parts, patterns).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
    }
}

/// Unsupported parts of Braze's API, by the prefixes of their paths.
private enum Absences {
    private static let all: [(path: String, words: String)] = [
        ("/templates/email/", "no e-mail of its own, and so no e-mail templates"),
        ("/email/", "no e-mail of its own, and so no bounces, spam reports and block lists"),
        ("/transactional/", "no e-mail of its own; use /campaigns/trigger/send"),
        ("/sms/", "no SMS"), ("/messages/live_activity/", "no Live Activities"),
        ("/media_library/", "no media library; name files by their addresses"),
        (
            "/canvas/",
            "/canvas/list, details, data_series, data_summary, duplicate and trigger/send alone"
        ),
        ("/users/track/", "/users/track, /users/track/sync and /users/track/bulk alone"),
        ("/app_group/", "/app_group/sdk_authentication alone of the settings"),
    ]

    /// The explanation of an unsupported path, including alternatives.
    static func words(_ path: String) -> String? {
        all.first { path.hasPrefix($0.path) }?.words
    }
}
