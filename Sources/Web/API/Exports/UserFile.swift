import Audience
import Foundation
import Hummingbird
import Model
import NIOCore
import NoroshiWire
import Users

/// Writes the users of an export to a file, in batches, whatever their number.
struct UserFile: Sendable {
    /// Number of users per file inside a ZIP file.
    private static let usersInAFile = 5000
    private static let bytesInAFile = 1 << 30

    let archive: UserArchive
    let audience: SegmentationService

    func name(of link: ExportLink) -> String {
        link.format == .zip ? "\(link.prefix).zip" : "\(link.prefix).txt.gz"
    }

    func write(
        _ link: ExportLink,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        switch link.format {
        case .zip: try await writeZip(link, to: &writer)
        case .gzip: try await writeGzip(link, to: &writer)
        }
    }

    private func writeZip(
        _ link: ExportLink,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var zip = ZipWriter()
        var file = 0
        func next() -> ByteBuffer {
            file += 1
            return ByteBuffer(bytes: zip.begin("\(link.prefix)-\(file).txt"))
        }
        var users = 0
        try await forEachLine(of: link) { line in
            if users % Self.usersInAFile == 0 || zip.size + line.count > Self.bytesInAFile {
                try await writer.write(next())
            }
            users += 1
            zip.note(line)
            try await writer.write(ByteBuffer(bytes: line))
        }
        try await writer.write(ByteBuffer(bytes: zip.finish()))
    }

    private func writeGzip(
        _ link: ExportLink,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var gzip = GzipWriter()
        try await writer.write(ByteBuffer(bytes: gzip.begin()))
        try await forEachLine(of: link) { line in
            try await writer.write(ByteBuffer(bytes: gzip.add(line)))
        }
        try await writer.write(ByteBuffer(bytes: gzip.finish()))
    }

    private func forEachLine(
        of link: ExportLink,
        _ receive: ([UInt8]) async throws -> Void
    ) async throws {
        let exporter = UserExporter(archive: archive, workspace: link.workspace)
        var cursor: ProfileID?
        while let query = link.query {
            let users = try await audience.profiles(
                in: link.workspace,
                matching: query,
                at: .now,
                after: cursor,
                limit: Self.usersInAFile
            )
            guard let last = users.last else { break }
            try await exporter.forEach(users, link.fields) { user in
                try await receive(try UserExporter.line(user))
            }
            cursor = last
            if users.count < Self.usersInAFile { break }
        }
    }
}
