import ArgumentParser

/// The limits of the REST API and of connections.
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

    @Option(
        name: .customLong("sdk-limit"),
        help: "Requests of one app's SDKs in 3 seconds. [NOROSHI_SDK_LIMIT; default 30000]"
    )
    var sdk: String?

    @Option(
        name: .customLong("connection-limit"),
        help: """
            Connections at the same time. A new one takes the place of the one on which the server \
            has waited longest for the client. [NOROSHI_CONNECTION_LIMIT; default 4096]
            """
    )
    var connections: String?

    @Option(
        name: .customLong("head-seconds"),
        help: "Seconds for the head of a request. [NOROSHI_HEAD_SECONDS; default 10]"
    )
    var headSeconds: String?

    @Option(
        name: .customLong("idle-seconds"),
        help: """
            Seconds a client may be silent in a body, or between two requests. \
            [NOROSHI_IDLE_SECONDS; default 60]
            """
    )
    var idleSeconds: String?

    @Option(
        name: .customLong("body-seconds"),
        help: "Seconds the server waits for one body in all. [NOROSHI_BODY_SECONDS; default 120]"
    )
    var bodySeconds: String?

    @Option(
        name: .customLong("unread-seconds"),
        help: """
            Seconds in which a client has to read a part of its response, or the connection is \
            closed. [NOROSHI_UNREAD_SECONDS; default 60]
            """
    )
    var unreadSeconds: String?

    @Option(
        name: .customLong("body-rate"),
        help: """
            Bytes of a body that have to come in a second, after ten seconds of grace. \
            [NOROSHI_BODY_RATE; default 1000]
            """
    )
    var bodyRate: String?

    @Option(
        name: .customLong("body-budget"),
        help: """
            Bytes of all bodies held at the same time; an eighth of it is for those who do not send \
            their key in the head. Further ones are answered 503. \
            [NOROSHI_BODY_BUDGET; default 41943040]
            """
    )
    var bodyBudget: String?

    @Option(
        name: .customLong("stop-seconds"),
        help: "Seconds from SIGTERM until the server has ended. [NOROSHI_STOP_SECONDS; default 10]"
    )
    var stopSeconds: String?

    var values: [String: String?] {
        [
            "sdk-limit": sdk, "connection-limit": connections, "head-seconds": headSeconds,
            "idle-seconds": idleSeconds, "body-seconds": bodySeconds, "body-rate": bodyRate,
            "unread-seconds": unreadSeconds,
            "body-budget": bodyBudget, "stop-seconds": stopSeconds,
            "track-limit": track, "export-limit": export, "request-limit": request,
            "body-limit": body, "trusted-proxies": proxies,
        ]
    }
}
