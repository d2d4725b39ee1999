import Foundation

/// A file submitted with a form.
package struct FormFile: Sendable, Hashable {
    package let field: String
    package let name: String
    package let bytes: [UInt8]
}

/// The parts of a `multipart/form-data` body (RFC 7578).
package struct MultipartForm: Sendable {
    package let fields: FormFields
    package let files: [FormFile]

    /// - Parameter contentType: The request's header, which contains the boundary.
    package init?(_ body: [UInt8], contentType: String) {
        let parts = contentType.split(separator: ";").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.first?.lowercased() == "multipart/form-data",
            let boundary = Self.parameter("boundary", in: Array(parts.dropFirst())),
            !boundary.isEmpty
        else { return nil }
        var fields: [(name: String, value: String)] = []
        var files: [FormFile] = []
        for part in Self.split(body, boundary: boundary) {
            guard let (head, content) = Self.headAndContent(part) else { continue }
            let disposition = head.split(separator: "\r\n").first {
                $0.lowercased().hasPrefix("content-disposition:")
            }
            let values = (disposition ?? "").split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard let name = Self.parameter("name", in: values) else { continue }
            if let file = Self.parameter("filename", in: values) {
                files.append(FormFile(field: name, name: file, bytes: Array(content)))
            } else {
                fields.append((name, String(decoding: content, as: UTF8.self)))
            }
        }
        self.fields = FormFields(fields)
        self.files = files
    }

    private static func parameter(_ name: String, in values: [String]) -> String? {
        for value in values where value.lowercased().hasPrefix(name + "=") {
            return value.dropFirst(name.count + 1)
                .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return nil
    }

    /// The parts between the boundaries, without the line break before each.
    private static func split(_ body: [UInt8], boundary: String) -> [ArraySlice<UInt8>] {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first boundary has no line break before it.
        let whole = Array("\r\n".utf8) + body
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var index = whole.startIndex
        while index + delimiter.count <= whole.count {
            if whole[index] == delimiter[0],
                whole[index..<index + delimiter.count].elementsEqual(delimiter)
            {
                if let start { parts.append(whole[start..<index]) }
                index += delimiter.count
                start = index
            } else {
                index += 1
            }
        }
        return parts
    }

    private static func headAndContent(
        _ part: ArraySlice<UInt8>
    ) -> (head: String, content: ArraySlice<UInt8>)? {
        let blank = Array("\r\n\r\n".utf8)
        var index = part.startIndex
        while index + blank.count <= part.endIndex {
            if part[index..<index + blank.count].elementsEqual(blank) {
                let head = String(decoding: part[part.startIndex..<index], as: UTF8.self)
                return (head, part[(index + blank.count)...])
            }
            index += 1
        }
        return nil
    }
}
