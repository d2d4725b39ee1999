import ArgumentParser

/// TLS of the server itself, where no proxy has it.
struct EncryptionOptions: ParsableArguments {
    @Option(
        name: .customLong("tls-certificate"),
        help: """
            A PEM file with the certificate and, after it, those of its authorities. With it the \
            server speaks HTTPS only, HTTP/2 and HTTP/1.1. [NOROSHI_TLS_CERTIFICATE]
            """
    )
    var certificate: String?

    @Option(
        name: .customLong("tls-key"),
        help: "A PEM file with its private key. [NOROSHI_TLS_KEY]"
    )
    var key: String?

    @Option(
        name: .customLong("hsts-days"),
        help: """
            Days for which browsers come back by HTTPS only; 0 does not tell them. \
            [NOROSHI_HSTS_DAYS; default 365]
            """
    )
    var hstsDays: String?

    @Option(
        name: .customLong("redirect-listen"),
        help: """
            HOST:PORT where requests without encryption are led to HTTPS, such as 0.0.0.0:80; \
            nowhere by default. [NOROSHI_REDIRECT_LISTEN]
            """
    )
    var redirectListen: String?

    var values: [String: String?] {
        [
            "tls-certificate": certificate, "tls-key": key, "hsts-days": hstsDays,
            "redirect-listen": redirectListen,
        ]
    }
}
