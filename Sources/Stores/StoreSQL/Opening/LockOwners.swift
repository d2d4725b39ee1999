import Foundation

/// The other programs that hold a lock on a database, as far as the system reports them.
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

    /// Linux lists the locks of all files. Querying the files themselves would mean opening and
    /// closing them, which would release this process's locks.
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
        return processes(in: list, with: inodes, except: ProcessInfo.processInfo.processIdentifier)
    }

    /// - Parameter list: As in `/proc/locks`, where those of other containers have the number 0, and
    ///   locks of open files -1.
    static func processes(
        in list: String,
        with inodes: Set<String>,
        except own: Int32
    ) -> [Int32] {
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
