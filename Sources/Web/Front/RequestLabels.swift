import HTTPTypes
import Hummingbird

/// What of a request may be counted and logged: from short lists, without names in it.
struct RequestLabels {
    /// Clients may invent methods, which are `other`.
    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]

    let method: String
    /// The pattern of the route, such as `/users/{id}`; `none` where there is no route.
    let route: String

    init(_ request: Request, _ context: some RequestContext) {
        method = Self.methods.contains(request.method) ? request.method.rawValue : "other"
        route = context.endpointPath ?? "none"
    }
}
