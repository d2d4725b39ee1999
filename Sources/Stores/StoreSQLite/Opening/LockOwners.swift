import Foundation

/// Which other programs have a database locked, as far as the system tells.
enum LockOwners {
    /// For the end of a sentence: " by sqlite3 (process 4711)", or nothing.
    static func words(_ file: DatabaseFile) -> String {
        let owners = processes(file).map { process in
            let path = "/proc/\(process)/comm"
            let name = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "a program"
            return "\(name.trimmingCharacters(in: .whitespacesAndNewlines)) (process \(process))"
        }
        return owners.isEmpty ? "" : " by " + owners.joined(separator: " and ")
    }

    /// Linux lists all locks of files. To ask by way of the files themselves would mean to open and
    /// to close them, and that would take away the locks this process has.
    private static func processes(_ file: DatabaseFile) -> [Int32] {
        guard let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else {
            return []
        }
        let inodes = Set(
            file.all.compactMap { name -> String? in
                var facts = stat()
                return stat(name, &facts) == 0 ? "\(facts.st_ino)" : nil
            }
        )
        let own = ProcessInfo.processInfo.processIdentifier
        var found: Set<Int32> = []
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count >= 8, words[1] == "POSIX", words[3] == "WRITE",
                let process = Int32(words[4]), process > 0, process != own,
                let inode = words[5].split(separator: ":").last, inodes.contains(String(inode))
            else { continue }
            found.insert(process)
        }
        return found.sorted()
    }
}
