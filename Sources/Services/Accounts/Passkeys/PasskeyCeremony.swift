import Crypto
import Foundation

/// Why a passkey is refused.
package enum PasskeyError: Error, Sendable, Hashable {
    case malformed, wrongKind, wrongChallenge, wrongOrigin, wrongServer, userAbsent,
        userUnverified, unknownAlgorithm, wrongSignature, wrongUser
}

/// What browsers and authenticators say when a passkey is made or used (W3C Web Authentication,
/// level 2, sections 7.1 and 7.2), and its verification. Only ES256 keys are used.
package struct PasskeyCeremony: Sendable {
    /// The origin of the console's pages, such as `https://push.example.com`.
    package var origin: String
    /// The host of that origin: what passkeys are made for.
    package var server: String

    package init(origin: String, server: String) {
        self.origin = origin
        self.server = server
    }

    /// A new passkey.
    package struct Registered: Sendable, Hashable {
        package var credentialID: Data
        /// The public key on P-256, uncompressed.
        package var publicKey: Data
        package var signCount: UInt32
    }

    private struct ClientData: Decodable {
        var type: String
        var challenge: String
        var origin: String
        var crossOrigin: Bool?
    }

    private struct AuthenticatorData {
        static let headLength = 37

        var flags: UInt8
        var signCount: UInt32
        var rest: Data

        init(_ data: Data, server: String) throws(PasskeyError) {
            guard data.count >= Self.headLength else { throw .malformed }
            let bytes = Array(data)
            guard bytes[..<32].elementsEqual(SHA256.hash(data: Data(server.utf8))) else {
                throw .wrongServer
            }
            flags = bytes[32]
            signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
            rest = Data(bytes[37...])
            guard flags & 0x01 != 0 else { throw .userAbsent }
            // A passkey takes the place of password and second factor together.
            guard flags & 0x04 != 0 else { throw .userUnverified }
        }
    }

    /// The challenge that a browser says it was asked, for finding out whether it was.
    package static func challenge(in clientData: Data) throws(PasskeyError) -> String {
        try decode(clientData).challenge
    }

    /// Verifies a new passkey.
    ///
    /// Attestation is not asked for: any authenticator will do, so its statement is not looked at.
    package func registered(clientData: Data, attestation: Data) throws(PasskeyError) -> Registered
    {
        try check(clientData, kind: "webauthn.create")
        let object: CBORValue
        do {
            var reader = try CBORReader(attestation)
            object = try reader.value()
            guard reader.isAtEnd else { throw PasskeyError.malformed }
        } catch {
            throw .malformed
        }
        guard object["fmt"]?.text != nil, let bytes = object["authData"]?.bytes else {
            throw .malformed
        }
        let data = try AuthenticatorData(bytes, server: server)
        guard data.flags & 0x40 != 0, data.rest.count >= 18 else { throw .malformed }
        let rest = Array(data.rest)
        let length = Int(rest[16]) << 8 | Int(rest[17])
        guard (1...1_023).contains(length), rest.count > 18 + length else { throw .malformed }
        return Registered(
            credentialID: Data(rest[18..<18 + length]),
            publicKey: try Self.publicKey(rest[(18 + length)...]),
            signCount: data.signCount
        )
    }

    /// Verifies the use of a passkey.
    ///
    /// - Returns: The authenticator's counter of signatures.
    package func used(
        clientData: Data,
        authenticatorData: Data,
        signature: Data,
        publicKey: Data
    ) throws(PasskeyError) -> UInt32 {
        try check(clientData, kind: "webauthn.get")
        let data = try AuthenticatorData(authenticatorData, server: server)
        let signed = authenticatorData + Data(SHA256.hash(data: clientData))
        let isRight: Bool
        do {
            let key = try P256.Signing.PublicKey(x963Representation: publicKey)
            let signature = try P256.Signing.ECDSASignature(derRepresentation: signature)
            isRight = key.isValidSignature(signature, for: signed)
        } catch {
            throw .wrongSignature
        }
        guard isRight else { throw .wrongSignature }
        return data.signCount
    }

    private func check(_ clientData: Data, kind: String) throws(PasskeyError) {
        let client = try Self.decode(clientData)
        guard client.type == kind else { throw .wrongKind }
        guard client.origin == origin, client.crossOrigin != true else { throw .wrongOrigin }
    }

    private static func decode(_ clientData: Data) throws(PasskeyError) -> ClientData {
        do {
            return try JSONDecoder().decode(ClientData.self, from: clientData)
        } catch {
            throw .malformed
        }
    }

    /// A COSE key (RFC 9053): elliptic curve, ES256, P-256.
    private static func publicKey(_ bytes: ArraySlice<UInt8>) throws(PasskeyError) -> Data {
        let key: CBORValue
        do {
            // Extensions may follow it.
            var reader = try CBORReader(bytes)
            key = try reader.value()
        } catch {
            throw .malformed
        }
        guard key[1]?.integer == 2, key[3]?.integer == -7, key[-1]?.integer == 1 else {
            throw .unknownAlgorithm
        }
        guard let x = key[-2]?.bytes, let y = key[-3]?.bytes, x.count == 32, y.count == 32 else {
            throw .malformed
        }
        do {
            return try P256.Signing.PublicKey(x963Representation: [4] + x + y).x963Representation
        } catch {
            throw .malformed
        }
    }
}
