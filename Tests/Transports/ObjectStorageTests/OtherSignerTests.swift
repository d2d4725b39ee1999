import Foundation
import Testing

@testable import ObjectStorage

/// Random requests, signed by Amazon's own library for Python too. It runs where `botocore` is there;
/// `./noroshi torture bucket` installs it, and has it check every request of a backup.
@Suite("A signature beside botocore's")
struct OtherSignerTests {
    private struct Request: Encodable {
        var method: String
        var url: String
        var headers: [[String]]
        var hash: String
        var time: String
        var region: String
        var keyID: String
        var secret: String
    }

    private static let script = """
        import datetime, json, sys
        from botocore.auth import S3SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials

        answers = []
        for item in json.load(sys.stdin):
            signer = S3SigV4Auth(Credentials(item["keyID"], item["secret"]), "s3", item["region"])
            request = AWSRequest(method=item["method"], url=item["url"])
            for name, value in item["headers"]:
                request.headers[name] = value
            request.context["timestamp"] = item["time"]
            text = signer.canonical_request(request)
            answers.append(signer.signature(signer.string_to_sign(request, text), request))
        json.dump(answers, sys.stdout)
        """

    static let hasBotocore: Bool = (try? python("import botocore", Data())) != nil

    private struct Failed: Error {}

    private static func python(_ script: String, _ input: Data) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        let (reading, writing) = (Pipe(), Pipe())
        process.standardInput = reading
        process.standardOutput = writing
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The script reads all of its input before it writes.
        try reading.fileHandleForWriting.write(contentsOf: input)
        try reading.fileHandleForWriting.close()
        let output = writing.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
        return output
    }

    /// Chance that is the same in every run.
    private struct Chance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test(
        "is the same for random requests",
        .enabled(if: OtherSignerTests.hasBotocore, "Python has no botocore here")
    )
    func random() throws {
        var chance = Chance(state: 22)
        let letters = Array("abcXYZ019 -._~!$&'()*+,;=:@/?#[]%\"<>|ç日😀")
        func text(_ length: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: length, using: &chance)).map { _ in
                    letters.randomElement(using: &chance) ?? "a"
                }
            )
        }
        var requests: [Request] = []
        var signatures: [String] = []
        for number in 0..<500 {
            let path =
                "/tea/" + RequestSigner.encode("a" + text(0...20), keepsSlashes: true)
            let query = (0..<Int.random(in: 0...4, using: &chance)).map { index in
                (name: "q\(index)" + text(0...5), value: text(0...12))
            }
            let hash = RequestSigner.hash(Data(text(0...40).utf8))
            let seconds = Double.random(in: 1_000_000_000...3_000_000_000, using: &chance)
            let time = RequestSigner.time(Date(timeIntervalSince1970: seconds))
            let region = ["us-east-1", "eu-central-1", "auto"].randomElement(using: &chance) ?? ""
            let secret = "secret/+\(text(1...30))"
            var headers = [
                (name: "host", value: "s3.example.com:9000"), (name: "x-amz-date", value: time),
                (name: "x-amz-content-sha256", value: hash),
            ]
            if Bool.random(using: &chance) { headers.append(("range", "bytes=\(number)-")) }
            if Bool.random(using: &chance) { headers.append(("x-amz-meta", "a  b \(number)")) }
            let encoded = RequestSigner.text(of: query)
            requests.append(
                Request(
                    method: ["GET", "PUT", "DELETE", "POST"].randomElement(using: &chance) ?? "",
                    url: "https://s3.example.com:9000\(path)"
                        + (encoded.isEmpty ? "" : "?\(encoded)"),
                    headers: headers.map { [$0.name, $0.value] },
                    hash: hash,
                    time: time,
                    region: region,
                    keyID: "AKID\(number)",
                    secret: secret
                )
            )
            let authorization = RequestSigner(
                credentials: BucketCredentials(keyID: "AKID\(number)", secret: secret),
                region: region
            ).authorization(
                RequestSigner.Request(
                    method: requests[number].method,
                    path: path,
                    query: query,
                    headers: headers,
                    payloadHash: hash
                ),
                time: time
            )
            signatures.append(String(authorization.suffix(64)))
        }
        let output = try Self.python(Self.script, JSONEncoder().encode(requests))
        let theirs = try JSONDecoder().decode([String].self, from: output)
        #expect(theirs.count == 500)
        for (index, signature) in theirs.enumerated() where signature != signatures[index] {
            Issue.record("\(requests[index])")
        }
    }
}
