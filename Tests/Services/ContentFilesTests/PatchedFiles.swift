import Foundation

/// Applies a patch to texts as `git apply` does: each line that it names has to be there.
struct PatchedFiles {
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var files: [String: String]

    /// - Throws: ``Mismatch``.
    init(_ files: [String: String], _ patch: String) throws {
        self.files = files
        let lines = Self.lines(of: patch)
        var place = 0
        while place < lines.count {
            let head = lines[place]
            guard head.hasPrefix("diff --git a/"), let middle = head.range(of: " b/") else {
                throw Mismatch(description: "no head: \(head)")
            }
            let path = String(head[middle.upperBound...].dropLast())
            var end = place + 1
            while end < lines.count, !lines[end].hasPrefix("diff --git ") { end += 1 }
            try apply(Array(lines[place + 1..<end]), to: path)
            place = end
        }
    }

    /// With their ends.
    private static func lines(of text: String) -> [String] {
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) + "\n" }
        let last = lines.removeLast()
        if last != "\n" { lines.append(String(last.dropLast())) }
        return lines
    }

    private mutating func apply(_ patch: [String], to path: String) throws {
        var body = patch[...]
        var isGone = false
        while let line = body.first, !line.hasPrefix("@@") {
            isGone = isGone || line.hasPrefix("deleted file")
            body.removeFirst()
        }
        var old = Self.lines(of: files[path] ?? "")[...]
        var new: [String] = []
        var count = 0
        while let head = body.popFirst() {
            guard let range = head.firstMatch(of: /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/),
                let first = Int(range.1)
            else { throw Mismatch(description: "no hunk of \(path): \(head)") }
            let lines = range.2.flatMap { Int($0) } ?? 1
            while count < (lines == 0 ? first : first - 1) {
                new.append(old.removeFirst())
                count += 1
            }
            while let line = body.first, !line.hasPrefix("@@") {
                body.removeFirst()
                var text = String(line.unicodeScalars.dropFirst())
                if body.first == "\\ No newline at end of file\n" {
                    body.removeFirst()
                    text = String(text.dropLast())
                }
                if !line.hasPrefix("+") {
                    guard let here = old.popFirst(), here.utf8.elementsEqual(text.utf8) else {
                        throw Mismatch(description: "\(path) has no line: \(line)")
                    }
                    count += 1
                }
                if !line.hasPrefix("-") { new.append(text) }
            }
        }
        files[path] = isGone ? nil : (new + old).joined()
    }
}
