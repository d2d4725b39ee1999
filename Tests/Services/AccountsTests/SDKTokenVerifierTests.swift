import Accounts
import Foundation
import Model
import Testing
import _CryptoExtras

@Suite("Users' signed tokens")
struct SDKTokenVerifierTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)
    private let key: _RSA.Signing.PrivateKey
    private let publicKey: String

    init() throws {
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        publicKey = key.publicKey.pemRepresentation
    }

    private func base64url(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    private func token(
        _ claims: String,
        header: String = #"{"alg":"RS256","typ":"JWT"}"#
    ) throws -> String {
        let signed = base64url(Data(header.utf8)) + "." + base64url(Data(claims.utf8))
        let signature = try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
        return signed + "." + base64url(signature.rawRepresentation)
    }

    private func verdict(_ token: String?, keys: [String]? = nil) -> SDKAuthenticationError? {
        do throws(SDKAuthenticationError) {
            try SDKTokenVerifier.verify(
                token,
                of: "ada",
                publicKeys: keys ?? [publicKey],
                now: now
            )
            return nil
        } catch {
            return error
        }
    }

    @Test("a token that names the user and is signed by one of the app's keys is good")
    func good() throws {
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation
        let token = try token(#"{"sub":"ada","exp":1790000060}"#)
        #expect(verdict(token) == nil)
        #expect(verdict(token, keys: [other, publicKey]) == nil)
        #expect(verdict(token, keys: [other]) == .noMatchingPublicKeys)
        #expect(verdict(token, keys: []) == .noMatchingPublicKeys)
        #expect(verdict(token, keys: ["nonsense"]) == .publicKeyError)
    }

    @Test("a token counts from its nbf on, give or take the clocks of two machines")
    func beginning() throws {
        for (start, verdict) in [
            ("1789999999", nil), ("1790000000.5", nil), ("1790000060", nil),
            ("1790000061", .notYetValid), ("9000000000", .notYetValid),
            ("\"soon\"", .invalidPayload),
        ] as [(String, SDKAuthenticationError?)] {
            let token = try token(#"{"sub":"ada","exp":1790000100,"nbf":\#(start)}"#)
            #expect(self.verdict(token) == verdict, "\(start)")
        }
    }

    @Test("each fault has its reason")
    func faults() throws {
        #expect(verdict(nil) == .missingToken)
        #expect(verdict("") == .missingToken)
        #expect(verdict("a.b") == .decodingError)
        #expect(verdict("€.b.c") == .decodingError)
        #expect(verdict(try token(#"{"sub":"bob","exp":1790000060}"#)) == .subjectMismatch)
        #expect(verdict(try token(#"{"sub":"ada","exp":1790000000}"#)) == .expired)
        #expect(verdict(try token(#"{"sub":"ada"}"#)) == .expirationRequired)
        #expect(verdict(try token(#"{"exp":1790000060}"#)) == .invalidPayload)
        #expect(verdict(try token(#"{"sub":7,"exp":1790000060}"#)) == .invalidPayload)
    }

    @Test("a token that asks for no signature or another algorithm is refused")
    func algorithm() throws {
        let claims = #"{"sub":"ada","exp":1790000060}"#
        for name in ["none", "HS256", "rs256"] {
            let token = try token(claims, header: #"{"alg":"\#(name)"}"#)
            #expect(verdict(token) == .incorrectAlgorithm)
        }
    }

    @Test("a changed payload does not fit its signature")
    func forged() throws {
        var parts = try token(#"{"sub":"bob","exp":1790000060}"#).split(separator: ".")
        let claims = base64url(Data(#"{"sub":"ada","exp":1790000060}"#.utf8))
        parts[1] = Substring(claims)
        #expect(verdict(parts.joined(separator: ".")) == .noMatchingPublicKeys)
    }
}
