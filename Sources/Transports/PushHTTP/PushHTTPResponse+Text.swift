extension PushHTTPResponse {
    /// The beginning of the body as text, for a person to read.
    package var bodyText: String { String(decoding: body.prefix(500), as: UTF8.self) }

    /// `Retry-After` in seconds; the date form is not used by push services.
    package var retryAfter: Duration? {
        guard let text = header("retry-after"), let seconds = Int(text), seconds >= 0 else {
            return nil
        }
        return .seconds(min(seconds, 24 * 3600))
    }
}
