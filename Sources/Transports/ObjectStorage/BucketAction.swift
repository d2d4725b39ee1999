/// What is asked of a store, by S3's names.
package enum BucketAction: String, Sendable, Hashable, CaseIterable {
    case list = "ListObjectsV2"
    case listUploads = "ListMultipartUploads"
    case get = "GetObject"
    case put = "PutObject"
    case delete = "DeleteObject"
    case begin = "CreateMultipartUpload"
    case part = "UploadPart"
    case complete = "CompleteMultipartUpload"
    case abort = "AbortMultipartUpload"

    /// What a policy has to allow for it.
    package var permission: String {
        switch self {
        case .list: "s3:ListBucket"
        case .listUploads: "s3:ListBucketMultipartUploads"
        case .get: "s3:GetObject"
        case .put, .begin, .part, .complete: "s3:PutObject"
        case .delete: "s3:DeleteObject"
        case .abort: "s3:AbortMultipartUpload"
        }
    }
}
