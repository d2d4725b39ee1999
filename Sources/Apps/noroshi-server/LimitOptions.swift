import ArgumentParser

/// The limits of the REST API, for each key.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("track-limit"),
        help: "Requests to /users/track in 3 seconds. [NOROSHI_TRACK_LIMIT; default 30000]"
    )
    var track: String?

    @Option(
        name: .customLong("export-limit"),
        help: "Requests for exports in a minute. [NOROSHI_EXPORT_LIMIT; default 1000]"
    )
    var export: String?

    @Option(
        name: .customLong("request-limit"),
        help: "Other requests in an hour. [NOROSHI_REQUEST_LIMIT; default 250000]"
    )
    var request: String?

    @Option(
        name: .customLong("body-limit"),
        help: "The largest body in bytes. [NOROSHI_BODY_LIMIT; default 4194304]"
    )
    var body: String?

    @Option(
        name: .customLong("trusted-proxies"),
        help: """
            Addresses of proxies whose X-Forwarded-For says where a request comes from, such as \
            127.0.0.1,10.0.0.0/8. [NOROSHI_TRUSTED_PROXIES]
            """
    )
    var proxies: String?

    var values: [String: String?] {
        [
            "track-limit": track, "export-limit": export, "request-limit": request,
            "body-limit": body, "trusted-proxies": proxies,
        ]
    }
}
