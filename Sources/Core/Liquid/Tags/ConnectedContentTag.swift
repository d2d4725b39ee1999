import Reasons

/// `{% connected_content URL :save name :method post :headers {"A": "b"} :body … %}`: fetches a URL
/// while the message is rendered.
///
/// A JSON response is stored under the name (`connected` by default) and prints nothing; any other
/// response is printed.
final class ConnectedContentTag: TagNode {
    private struct Call {
        let url: Interpolation
        var name = LiquidName("connected")
        var method: Interpolation?
        var headers: Interpolation?
        var body: Interpolation?
        var contentType: Interpolation?
        var basicAuth: Interpolation?
        var cacheSeconds: Interpolation?
        var retries = false
    }

    private static let options: Set<String> = [
        "save", "method", "headers", "body", "content_type", "basic_auth", "cache_max_age",
        "retry", "no_cache",
    ]

    let offset: Int
    let isBlank = false
    private let call: Call

    private init(offset: Int, call: Call) {
        self.offset = offset
        self.call = call
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let words = TagAttributes(tag.markup, parser.context)
        guard words.leading.count == 1 else {
            throw LiquidError(
                .syntax,
                .notWellFormed,
                ["tag": "connected_content", "form": "connected_content [url] [:option value]"]
            )
        }
        for name in words.optionNames where !options.contains(name) {
            throw LiquidError(
                .syntax,
                .unknownOption,
                ["name": "\(name)", "tag": "connected_content"]
            )
        }
        var call = Call(url: try words.pieces(words.leading[0]))
        if let name = try words.option("save")?.pieces.first, case .text(let text) = name {
            call.name = LiquidName(text)
        }
        call.method = try words.option("method")
        call.headers = try words.option("headers")
        call.body = try words.option("body")
        call.contentType = try words.option("content_type")
        call.basicAuth = try words.option("basic_auth")
        call.cacheSeconds = try words.option("cache_max_age")
        call.retries = words.optionNames.contains("retry")
        if words.optionNames.contains("no_cache") {
            call.cacheSeconds = Interpolation(pieces: [.text("0")])
        }
        parser.context.asksQuestions = true
        return ConnectedContentTag(offset: tag.offset, call: call)
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        let request = try request(&renderer)
        let ready = try renderer.answer(to: .connectedContent(request))
        guard case .connectedContent(let response) = ready.answer
        else { throw LiquidError(.argument, .otherAnswer, ["tag": "connected_content"]) }
        guard (200..<300).contains(response.status) else {
            return try renderer.assign(
                call.name,
                .object(status(response.status, of: []))
            )
        }
        switch ready.json {
        case .object(let object):
            try renderer.spend(object.count)
            let pairs = zip(object.names, object.values).map { (name: $0, value: $1) }
            try renderer.assign(call.name, .object(status(response.status, of: pairs)))
        case .array(let elements):
            try renderer.assign(call.name, .array(elements))
        default:
            try renderer.spend(bytes: 2 * response.body.count)
            renderer.output.append(contentsOf: String(decoding: response.body, as: UTF8.self).utf8)
        }
    }

    private func status(
        _ status: Int,
        of pairs: [(name: LiquidName, value: LiquidValue)]
    ) -> LiquidObject {
        LiquidObject(pairs + [(LiquidName("__http_status_code__"), .int(status))])
    }

    private func request(
        _ renderer: inout Renderer
    ) throws(LiquidError) -> ConnectedContentRequest {
        var request = ConnectedContentRequest(url: try renderer.text(of: call.url))
        if let method = call.method { request.method = try renderer.text(of: method).uppercased() }
        if let body = call.body { request.body = try renderer.text(of: body) }
        if let type = call.contentType { request.contentType = try renderer.text(of: type) }
        if let name = call.basicAuth { request.basicAuth = try renderer.text(of: name) }
        if let age = call.cacheSeconds {
            let text = try renderer.text(of: age)
            guard let seconds = Numbers.strictInteger(text), seconds >= 0 else {
                throw LiquidError(.argument, .cacheAge, ["text": "\(text)"])
            }
            request.cacheSeconds = seconds
        }
        if let headers = call.headers {
            let text = try renderer.text(of: headers)
            guard case .object(let object)? = try? LiquidJSON.parse(Array(text.utf8), depth: 2)
            else { throw LiquidError(.argument, .headersNoObject, ["text": "\(text)"]) }
            for (name, value) in zip(object.names, object.values) {
                request.headers[name.text] = renderer.plainText(value)
            }
        }
        request.retries = call.retries
        return request
    }
}
