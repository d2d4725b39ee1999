import CP256Lanes
import Crypto
import Foundation

/// Key agreements eight at a time, by the processor's vectors (`CP256Lanes`).
enum VectorAgreement {
    /// How many are computed at once; fewer cost the same.
    static let width = Int(P256_LANES)

    /// Whether this processor can, and has given what the library gives in a trial at the start.
    static let isAvailable: Bool = {
        guard p256_lanes_available() else { return false }
        p256_lanes_prepare()
        return agreesWithLibrary()
    }()

    /// A key pair made for one message, of which only the public key is left.
    struct Result {
        let publicKey: [UInt8]
        /// What was agreed with the other side.
        let secret: SymmetricKey
    }

    /// Makes a new key pair for each of up to eight public keys, and agrees with them.
    ///
    /// - Parameter points: uncompressed, 65 bytes.
    /// - Returns: nil in the place of a key that is no point of the curve, or for which the random
    ///   number was no private key, by a chance of one in four billion.
    static func agree(_ points: [[UInt8]]) -> [Result?] {
        var scalars = SecureRandom.bytes(width * 32)
        defer { wipe(&scalars) }
        return agree(points, scalars: scalars)
    }

    private static func agree(_ points: [[UInt8]], scalars: [UInt8]) -> [Result?] {
        precondition(points.count <= width, "there are more keys than lanes")
        var peers: [UInt8] = []
        peers.reserveCapacity(width * 65)
        for point in points {
            precondition(point.count == 65, "an uncompressed point has 65 bytes")
            peers += point
        }
        // No point of the curve, and so reported as invalid.
        peers += repeatElement(0, count: width * 65 - peers.count)
        var keys = [UInt8](repeating: 0, count: width * 65)
        var secrets = [UInt8](repeating: 0, count: width * 32)
        defer { wipe(&secrets) }
        let valid = p256_lanes_agree(scalars, peers, &keys, &secrets)
        return points.indices.map { lane in
            guard valid >> lane & 1 == 1 else { return nil }
            return Result(
                publicKey: Array(keys[lane * 65..<(lane + 1) * 65]),
                secret: SymmetricKey(data: secrets[lane * 32..<(lane + 1) * 32])
            )
        }
    }

    private static func agreesWithLibrary() -> Bool {
        let peers = (0..<width).map { _ in P256.KeyAgreement.PrivateKey().publicKey }
        var scalars = SecureRandom.bytes(width * 32)
        defer { wipe(&scalars) }
        let results = agree(peers.map { Array($0.x963Representation) }, scalars: scalars)
        return zip(peers, results).enumerated().allSatisfy { lane, pair in
            let scalar = scalars[lane * 32..<(lane + 1) * 32]
            guard let result = pair.1,
                let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar),
                let shared = try? key.sharedSecretFromKeyAgreement(with: pair.0)
            else { return false }
            return result.publicKey == Array(key.publicKey.x963Representation)
                && shared == result.secret.withUnsafeBytes { Array($0) }
        }
    }

    private static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { p256_lanes_wipe($0.baseAddress, $0.count) }
    }
}
