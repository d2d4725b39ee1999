/// Why a store of objects does not do what it is asked for, and what to do about it.
package enum BucketError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An address that cannot be one, and what it should be.
    case address(String, String)
    case endpoint(String)
    case noBucket(String, endpoint: String)
    case noObject(String)
    /// The key may not do this; named by the permission that it lacks.
    case denied(BucketAction, bucket: String)
    case unknownKey(String)
    case wrongSecret(String)
    /// The credentials were for some hours, which are over.
    case expired(String)
    /// What the server's clock says, if it is known.
    case clock(server: String?)
    /// The region that the bucket is in, if it is known.
    case wrongRegion(String?, given: String)
    case unreachable(String, String)
    case untrusted(String, String)
    /// Nothing but temporary errors, time after time.
    case busy(String, String)
    case refused(status: Int, code: String, message: String)
    /// An answer that is not as S3 has it.
    case unreadable(BucketAction, String)
    /// An object is not what was written, or was replaced while it was read.
    case changed(String)
    case file(String, String)

    package var description: String {
        switch self {
        case .address(let text, let advice): "'\(text)' is no address of a bucket: \(advice)"
        case .endpoint(let text):
            "'\(text)' is no endpoint: use https:// and a host, such as https://s3.example.com"
        case .noBucket(let bucket, let endpoint):
            "there is no bucket '\(bucket)' at \(endpoint): make it, or correct its name or the endpoint"
        case .noObject(let key): "there is no object '\(key)'"
        case .denied(let action, let bucket):
            "the access key may not do this in the bucket '\(bucket)': its policy has to allow "
                + action.permission
        case .unknownKey(let id):
            "the store does not know the access key \(id): look at AWS_ACCESS_KEY_ID and the endpoint"
        case .wrongSecret(let id):
            "the secret does not belong to the access key \(id): look at AWS_SECRET_ACCESS_KEY"
        case .expired(let id):
            "the access key \(id) has run out or is not valid any more: get a new one, "
                + "with its AWS_SESSION_TOKEN if it has one"
        case .clock(let server):
            "the clock of this computer differs too much from the store's"
                + (server.map { ", which says \($0)" } ?? "") + ": set it, for example with NTP"
        case .wrongRegion(let region, let given):
            region.map {
                "the bucket is in the region \($0), not in \(given): set s3-region to \($0)"
            } ?? "the bucket is not in the region \(given): set s3-region to that of the bucket"
        case .unreachable(let endpoint, let reason):
            "\(endpoint) cannot be reached: \(reason). Look at s3-endpoint, the network and a firewall"
        case .untrusted(let endpoint, let reason):
            "the certificate of \(endpoint) is not trusted by this system: \(reason)"
        case .busy(let endpoint, let reason):
            "\(endpoint) does not take the request at the moment: \(reason). Try again later"
        case .refused(let status, let code, let message):
            "the store refused (\(status) \(code))" + (message.isEmpty ? "" : ": \(message)")
        case .unreadable(let action, let reason):
            "the answer to \(action.rawValue) is not one of S3: \(reason). Look at s3-endpoint"
        case .changed(let key):
            "the object '\(key)' is not as it was written: does somebody else use this prefix?"
        case .file(let path, let reason): "\(path) cannot be used: \(reason)"
        }
    }
}
