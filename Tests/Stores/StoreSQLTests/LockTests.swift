import Foundation
import GRDB
import Testing

@testable import StoreSQL

@Suite("Locks of other programs")
struct LockTests {
    @Test("a lock is asked for after 1, 2, 3 … 20 ms and every 20 ms, until the patience is over")
    func pauses() throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-lock-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = StorePlace.file(try DatabaseFile(preparing: path))
        func pauses(_ condition: StoreCondition) -> [Int] {
            var pauses: [Int] = []
            while let next = condition.pause(after: pauses.count) { pauses.append(next) }
            return pauses
        }
        let condition = StoreCondition(file, lockPatience: .milliseconds(250))
        #expect(pauses(condition) == Array(1...20) + [20, 20])
        #expect(pauses(StoreCondition(file, lockPatience: .milliseconds(251))).count == 23)
        // Where one wait was in vain the next ones are short.
        _ = condition.judge(DatabaseError(resultCode: .SQLITE_BUSY), isWrite: true)
        #expect(condition.lockPatience() == 200)
        condition.wrote()
        #expect(condition.lockPatience() == 250)
    }

    @Test("who holds a lock is read from the system's list, without those of other containers")
    func lockOwners() {
        let list = """
            1: POSIX  ADVISORY  WRITE 4711 08:01:99 128 128
            2: POSIX  ADVISORY  WRITE 0 08:01:99 128 128
            3: OFDLCK ADVISORY  WRITE -1 08:01:99 128 128
            4: POSIX  ADVISORY  WRITE -1 08:01:99 128 128
            5: POSIX  ADVISORY  READ 12 08:01:99 128 128
            6: POSIX  ADVISORY  WRITE 13 08:01:98 128 128
            7: POSIX  ADVISORY  WRITE 15 08:01:99 128 128
            8: FLOCK  ADVISORY  WRITE 14 08:01:99 0 EOF
            9: POSIX  ADVISORY  WRITE 1 08:01:99 128 128
            """
        #expect(LockOwners.processes(in: list, with: ["99"], except: 15) == [1, 4711])
    }
}
