import Accounts
import Crypto
import Foundation

/// An authenticator and its browser, written from the standard by hand.
struct TestAuthenticator {
    let key = P256.Signing.PrivateKey()
    let credentialID = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
    var origin = "https://push.example.com"
    var server = "push.example.com"
    /// User present and user verified.
    var flags: UInt8 = 0x05
    var signCount: UInt32 = 0
    var isCrossOrigin = false
    var algorithm: UInt8 = 0x26

    private func clientData(_ type: String, _ challenge: Data) -> Data {
        Data(
            """
            {"type":"\(type)","challenge":"\(Base64URL.text(challenge))","origin":"\(origin)",\
            "crossOrigin":\(isCrossOrigin)}
            """.utf8
        )
    }

    private func head(_ flags: UInt8) -> Data {
        var head = Data(SHA256.hash(data: Data(server.utf8)))
        head.append(flags)
        head.append(contentsOf: withUnsafeBytes(of: signCount.bigEndian) { Array($0) })
        return head
    }

    func register(_ challenge: Data) -> PasskeyService.Registration {
        let point = Array(key.publicKey.x963Representation)
        var cose: [UInt8] = [0xA5, 0x01, 0x02, 0x03, algorithm, 0x20, 0x01]
        cose += [0x21, 0x58, 0x20] as [UInt8]
        cose += point[1..<33]
        cose += [0x22, 0x58, 0x20] as [UInt8]
        cose += point[33..<65]
        var data = [UInt8](head(flags | 0x40))
        data += [UInt8](repeating: 0, count: 16)
        data += [0, UInt8(credentialID.count)] as [UInt8]
        data += [UInt8](credentialID)
        data += cose
        var attestation: [UInt8] = [0xA3, 0x63]
        attestation += Array("fmt".utf8)
        attestation.append(0x64)
        attestation += Array("none".utf8)
        attestation.append(0x67)
        attestation += Array("attStmt".utf8)
        attestation += [0xA0, 0x68] as [UInt8]
        attestation += Array("authData".utf8)
        attestation += [0x58, UInt8(data.count)] as [UInt8]
        attestation += data
        return PasskeyService.Registration(
            clientData: clientData("webauthn.create", challenge),
            attestation: Data(attestation)
        )
    }

    func use(_ challenge: Data, userHandle: Data? = nil) throws -> PasskeyService.Assertion {
        let client = clientData("webauthn.get", challenge)
        let data = head(flags)
        let signed = data + Data(SHA256.hash(data: client))
        return PasskeyService.Assertion(
            credentialID: credentialID,
            clientData: client,
            authenticatorData: data,
            signature: try key.signature(for: signed).derRepresentation,
            userHandle: userHandle
        )
    }
}
