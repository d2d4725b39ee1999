import Foundation
import NoroshiOutbox

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads the attachment of a push directly to disk, because an extension has about 24 MB of
/// memory.
struct AttachmentLoader: Sendable {
    /// A file type that Apple's systems attach, with its maximum size in bytes.
    struct Kind: Equatable {
        var fileExtension: String
        var bytesMaximum: Int
    }

    private static let image = 10 << 20
    private static let audio = 5 << 20
    private static let movie = 50 << 20

    private static let bytesMaximumByExtension: [String: Int] = [
        "jpg": image, "jpeg": image, "png": image, "gif": image,
        "aif": audio, "aiff": audio, "wav": audio, "mp3": audio, "m4a": audio,
        "mpg": movie, "mpeg": movie, "mp4": movie, "avi": movie,
    ]

    private static let extensionByMediaType: [String: String] = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif",
        "audio/aiff": "aif", "audio/x-aiff": "aif", "audio/wav": "wav", "audio/x-wav": "wav",
        "audio/mpeg": "mp3", "audio/mp4": "m4a",
        "video/mpeg": "mpg", "video/mp4": "mp4", "video/x-msvideo": "avi",
    ]

    /// Downloads a URL to a file; the media type is the response's `Content-Type`.
    var download:
        @Sendable (_ url: URL, _ timeout: TimeInterval) async throws -> (
            file: URL, mediaType: String?
        )

    /// The loader over Foundation's URL loading system.
    static let live = AttachmentLoader { url, timeout in
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = timeout
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let (file, response) = try await session.download(for: URLRequest(url: url))
        guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
            throw NoroshiError(code: .network, message: "\(url) did not answer with a file")
        }
        // The length announced by the server is not reliable; `load` checks the file.
        return (file, response.value(forHTTPHeaderField: "Content-Type"))
    }

    /// Downloads `attachment` into `folder` under a name with the extension of its type.
    func load(
        _ attachment: PushPayload.Attachment,
        into folder: URL,
        timeout: TimeInterval
    ) async throws -> URL {
        guard ["https", "http"].contains(attachment.url.scheme?.lowercased() ?? "") else {
            throw NoroshiError(
                code: .invalidInput,
                field: "attachment",
                message: "\(attachment.url) is not a web address"
            )
        }
        let (file, mediaType) = try await download(attachment.url, timeout)
        guard let kind = Self.kind(of: attachment, mediaType: mediaType) else {
            throw NoroshiError(
                code: .invalidInput,
                field: "attachment",
                message: "\(mediaType ?? attachment.url.pathExtension) cannot be attached"
            )
        }
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
        guard let size, size.intValue <= kind.bytesMaximum else {
            throw NoroshiError(
                code: .invalidInput,
                field: "attachment",
                message: "the file has \(size?.stringValue ?? "unknown") bytes; at most "
                    + "\(kind.bytesMaximum) are shown"
            )
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let destination =
            folder
            .appendingPathComponent(file.lastPathComponent)
            .deletingPathExtension()
            .appendingPathExtension(kind.fileExtension)
        try FileManager.default.moveItem(at: file, to: destination)
        return destination
    }

    /// The type of an attachment: from the payload, otherwise from the server, otherwise from the
    /// URL.
    static func kind(of attachment: PushPayload.Attachment, mediaType: String?) -> Kind? {
        let essence = mediaType?.split(separator: ";").first.map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        let candidates = [
            attachment.type.map { extensionByMediaType[$0.lowercased()] ?? $0.lowercased() },
            essence.flatMap { extensionByMediaType[$0] },
            attachment.url.pathExtension.lowercased(),
        ]
        for case .some(let candidate) in candidates {
            if let bytes = bytesMaximumByExtension[candidate] {
                return Kind(fileExtension: candidate, bytesMaximum: bytes)
            }
        }
        return nil
    }
}
