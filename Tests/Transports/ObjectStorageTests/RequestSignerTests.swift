import Foundation
import Testing

@testable import ObjectStorage

@Suite("A signature")
struct RequestSignerTests {
    /// What AWS publishes, with the signature that it names.
    struct Published: Sendable {
        var name: String
        var request: RequestSigner.Request
        var signature: String
    }

    private static let emptyHash =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static func suite(
        _ name: String,
        _ signature: String,
        method: String = "GET",
        path: String = "/",
        query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = []
    ) -> Published {
        Published(
            name: name,
            request: RequestSigner.Request(
                method: method,
                path: path,
                query: query,
                headers: [
                    ("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z"),
                ] + headers,
                payloadHash: emptyHash
            ),
            signature: signature
        )
    }

    @Test(
        "is that of AWS's published suite",
        arguments: [
            suite(
                "get-vanilla",
                "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
            ),
            suite(
                "get-vanilla-query-order-key-case",
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
                query: [("Param2", "value2"), ("Param1", "value1")]
            ),
            suite(
                "get-unreserved",
                "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
                path:
                    "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
            ),
            suite(
                "get-utf8",
                "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
                path: "/%E1%88%B4"
            ),
            suite(
                "get-header-value-trim",
                "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
                headers: [("My-Header1", " value1 "), ("My-Header2", " \"a   b   c\" ")]
            ),
            suite(
                "post-vanilla",
                "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
                method: "POST"
            ),
        ]
    )
    func published(_ published: Published) {
        let signer = RequestSigner(
            credentials: BucketCredentials(
                keyID: "AKIDEXAMPLE",
                secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
            ),
            region: "us-east-1",
            service: "service"
        )
        let text = signer.authorization(published.request, time: "20150830T123600Z")
        #expect(text.hasSuffix("Signature=\(published.signature)"), "\(published.name)")
        #expect(
            text.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            )
        )
    }

    private static func example(
        _ name: String,
        _ signature: String,
        method: String = "GET",
        path: String = "/",
        query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [],
        hash: String = emptyHash
    ) -> Published {
        Published(
            name: name,
            request: RequestSigner.Request(
                method: method,
                path: path,
                query: query,
                headers: [
                    ("host", "examplebucket.s3.amazonaws.com"),
                    ("x-amz-content-sha256", hash), ("x-amz-date", "20130524T000000Z"),
                ] + headers,
                payloadHash: hash
            ),
            signature: signature
        )
    }

    @Test(
        "is that of the examples in the documentation of S3",
        arguments: [
            example(
                "a part of an object",
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
                path: "/test.txt",
                headers: [("range", "bytes=0-9")]
            ),
            example(
                "an object that is written",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
                method: "PUT",
                path: "/test%24file.text",
                headers: [
                    ("date", "Fri, 24 May 2013 00:00:00 GMT"),
                    ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ],
                hash: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
            ),
            example(
                "a name without a value",
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
                query: [("lifecycle", "")]
            ),
            example(
                "a list",
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
                query: [("max-keys", "2"), ("prefix", "J")]
            ),
        ]
    )
    func documented(_ example: Published) {
        let signer = RequestSigner(
            credentials: BucketCredentials(
                keyID: "AKIAIOSFODNN7EXAMPLE",
                secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
            ),
            region: "us-east-1"
        )
        let text = signer.authorization(example.request, time: "20130524T000000Z")
        #expect(text.hasSuffix("Signature=\(example.signature)"), "\(example.name)")
    }

    @Test("encodes what RFC 3986 does not leave as it is, by bytes")
    func encoding() {
        #expect(RequestSigner.encode("a b/ç+~%") == "a%20b%2F%C3%A7%2B~%25")
        #expect(RequestSigner.encode("a/b", keepsSlashes: true) == "a/b")
        #expect(
            RequestSigner.text(of: [("b", "1"), ("a-", "2"), ("a", "3 "), ("a", "2&")])
                == "a=2%26&a=3%20&a-=2&b=1"
        )
        #expect(
            RequestSigner.time(Date(timeIntervalSince1970: 1_369_353_600)) == "20130524T000000Z"
        )
    }
}
