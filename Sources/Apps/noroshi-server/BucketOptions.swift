import ArgumentParser

/// Where buckets are that are named as s3://BUCKET/PREFIX. The secret of a key is never an argument,
/// which others can see.
struct BucketOptions: ParsableArguments {
    @Option(
        name: .customLong("s3-endpoint"),
        help: """
            The store that has the buckets, such as https://s3.example.com; http:// sends everything \
            unencrypted. [NOROSHI_S3_ENDPOINT; default Amazon's of the region]
            """
    )
    var endpoint: String?

    @Option(
        name: .customLong("s3-region"),
        help: "The buckets' region. [NOROSHI_S3_REGION or AWS_REGION; default us-east-1]"
    )
    var region: String?

    @Option(
        name: .customLong("s3-path-style"),
        help: """
            true: the bucket is in the path; false: in the host's name. \
            [NOROSHI_S3_PATH_STYLE; default true where an endpoint is named]
            """
    )
    var pathStyle: String?

    @Option(
        name: .customLong("s3-credentials-file"),
        help: """
            A file with aws_access_key_id=…, aws_secret_access_key=… and perhaps \
            aws_session_token=… in lines. [NOROSHI_S3_CREDENTIALS_FILE, or AWS_ACCESS_KEY_ID, \
            AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN themselves]
            """
    )
    var credentialsFile: String?

    var values: [String: String?] {
        [
            "s3-endpoint": endpoint, "s3-region": region, "s3-path-style": pathStyle,
            "s3-credentials-file": credentialsFile,
        ]
    }
}
