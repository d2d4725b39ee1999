import Crypto
import Foundation
import PushHTTP
import Testing
import WebPush

@Suite("Encryption gives the bytes that the RFCs print")
struct EncryptionVectorTests {
    private func bytes(_ text: String) throws -> [UInt8] {
        try #require(Base64URL.decode(text))
    }

    @Test("RFC 8188, 3.1: one record")
    func oneRecord() throws {
        let key = try bytes("yqdlZ-tYemfogSmv7Ws5PQ")
        let body = try EncryptedContent.encrypt(
            Array("I am the walrus".utf8),
            inputKey: key,
            salt: bytes("I1BsxtFttlv3u_Oo94xnmw")
        )
        let expected =
            "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
        #expect(Base64URL.encode(body) == expected)
        let content = EncryptedContent.decrypt(body) { _ in key }
        #expect(content == Array("I am the walrus".utf8))
    }

    @Test("RFC 8188, 3.2: two padded records are read, and the key id is found")
    func twoRecords() throws {
        let body = try bytes(
            """
            uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz\
            3SsLWIqS_uA
            """
        )
        let key = try bytes("BO3ZVPxUlnLORbVGMpbT1Q")
        var keyID: [UInt8] = []
        let content = EncryptedContent.decrypt(body) { id in
            keyID = id
            return key
        }
        #expect(content == Array("I am the walrus".utf8))
        #expect(keyID == Array("a1".utf8))
    }

    @Test("content of several records comes back, and a cut body does not")
    func severalRecords() throws {
        let key = Array(repeating: UInt8(7), count: 16)
        let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let body = try EncryptedContent.encrypt(
            content,
            inputKey: key,
            salt: Array(repeating: 9, count: 16),
            recordSize: 64
        )
        #expect(EncryptedContent.decrypt(body) { _ in key } == content)
        let cut = Array(body.dropLast(body.count % 64 == 21 ? 64 : (body.count - 21) % 64))
        #expect(EncryptedContent.decrypt(cut) { _ in key } == nil)
        var damaged = body
        damaged[100] ^= 1
        #expect(EncryptedContent.decrypt(damaged) { _ in key } == nil)
    }

    @Test("RFC 8291, 5: the watermelon")
    func watermelon() throws {
        let encryption = try WebPushEncryption(
            publicKey: """
                BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4
                """,
            authenticationSecret: "BTBZMqHH6r4Tts7J_aSIgg"
        )
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        )
        let body = try encryption.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8),
            sender: sender,
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw")
        )
        let expected = """
            DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWA\
            mS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxs\
            j_Qulcy4a-fN
            """
        #expect(Base64URL.encode(body) == expected)
        #expect(body.count == 144)
    }

    @Test("RFC 8292, 2.4: the example's signature is valid, and ours are made alike")
    func vapid() throws {
        let example = try #require(
            URL(string: "https://push.example.net")
        ).absoluteString
        let key = VAPIDKey()
        let header = try key.authorization(
            origin: example,
            subject: "mailto:push@example.com",
            expires: Date(timeIntervalSince1970: 1_453_523_768)
        )
        for (text, publicKey) in [
            (Self.rfcHeader, Self.rfcKey), (header, key.publicKey),
        ] {
            let token = try #require(
                text.split(separator: " ").first { $0.hasPrefix("t=") }?.dropFirst(2)
            )
            let parts = token.split(separator: ".").map { $0.filter { $0 != "," } }
            let verifier = try P256.Signing.PublicKey(x963Representation: bytes(publicKey))
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes(parts[2]))
            #expect(
                verifier.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
            )
            let json = try JSONSerialization.jsonObject(with: Data(bytes(parts[1])))
            let claims = try #require(json as? [String: Any])
            #expect(claims["aud"] as? String == example)
            #expect(claims["exp"] as? Int == 1_453_523_768)
            #expect(claims["sub"] as? String == "mailto:push@example.com")
        }
    }

    private static let rfcKey = """
        BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs
        """
    private static let rfcHeader = """
        vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQi\
        LCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOe\
        pC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=x
        """

    @Test("keys that are no keys are told apart")
    func badKeys() {
        let good =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        #expect(throws: WebPushSubscriptionError.badPublicKey) {
            _ = try WebPushEncryption(publicKey: "abc", authenticationSecret: "x")
        }
        // A point that is not on the curve.
        let off = "BAAA" + String(repeating: "A", count: 83)
        #expect(throws: WebPushSubscriptionError.badPublicKey) {
            _ = try WebPushEncryption(
                publicKey: off,
                authenticationSecret: "BTBZMqHH6r4Tts7J_aSIgg"
            )
        }
        #expect(throws: WebPushSubscriptionError.badSecret) {
            _ = try WebPushEncryption(publicKey: good, authenticationSecret: "abcd")
        }
    }
}
