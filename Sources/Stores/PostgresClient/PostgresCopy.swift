import Foundation

/// Rows on their way into a table, in COPY's binary form.
///
/// A field must have the type of its column, which COPY does not convert: an `Int64` needs a bigint.
package struct PostgresCopy {
    fileprivate let connection: PostgresConnection
    fileprivate let sql: String
    fileprivate var bytes: [UInt8] = []
    /// How many rows were begun.
    package private(set) var rowCount = 0

    /// What is sent at once.
    private static let portion = 1 << 16

    fileprivate init(_ connection: PostgresConnection, _ sql: String) {
        self.connection = connection
        self.sql = sql
        bytes.reserveCapacity(Self.portion + 4096)
        bytes.append(contentsOf: Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0])
        put(Int32(0))
        put(Int32(0))
    }

    /// Begins a row; as many fields follow as the statement names columns.
    package mutating func row(_ columnCount: Int) throws {
        if bytes.count >= Self.portion { try flush() }
        put(Int16(columnCount))
        rowCount += 1
    }

    package mutating func integer(_ value: Int64) {
        put(Int32(8))
        put(value)
    }

    package mutating func double(_ value: Double) {
        put(Int32(8))
        put(value.bitPattern)
    }

    package mutating func text(_ value: String) {
        withLength { PostgresText.append(value, to: &$0) }
    }

    package mutating func bytes(_ value: Data) {
        withLength { bytes in value.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    }

    /// A text in UTF-8, which the server checks.
    package mutating func text(_ value: UnsafeRawBufferPointer) {
        withLength { PostgresText.append(value, to: &$0) }
    }

    package mutating func bytes(_ value: UnsafeRawBufferPointer) {
        withLength { $0.append(contentsOf: value) }
    }

    package mutating func null() {
        put(Int32(-1))
    }

    package mutating func value(_ value: PostgresValue) {
        switch value {
        case .null: null()
        default: withLength { value.append(to: &$0) }
        }
    }

    private mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes a field behind its length, which is known afterwards.
    private mutating func withLength(_ body: (inout [UInt8]) -> Void) {
        let start = bytes.count
        put(Int32(0))
        body(&bytes)
        let length = Int32(bytes.count - start - 4)
        withUnsafeBytes(of: length.bigEndian) { length in
            for index in 0..<4 { bytes[start + index] = length[index] }
        }
    }

    fileprivate mutating func end() throws {
        put(Int16(-1))
        try flush()
    }

    private mutating func flush() throws {
        let wasSent = bytes.withUnsafeBytes { bytes in
            guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress else {
                return Int32(1)
            }
            return connection.libpq.putCopyData(connection.raw, start, Int32(bytes.count))
        }
        guard wasSent == 1 else { throw connection.failure(sql) }
        bytes.removeAll(keepingCapacity: true)
    }
}

extension PostgresConnection {
    /// Writes many rows with `COPY … FROM STDIN (FORMAT BINARY)`, all of them or none.
    ///
    /// - Parameter body: Adds the rows; what it throws ends the copy, and the transaction has then failed.
    /// - Returns: How many rows were written.
    @discardableResult
    package func copyIn(
        _ sql: String,
        _ body: (inout PostgresCopy) throws -> Void
    ) throws -> Int {
        try becomeReady(sql)
        guard let start = libpq.execute(raw, sql) else { throw failure(sql) }
        guard libpq.resultStatus(start) == ResultStatus.copyIn else {
            _ = try check(start, sql: sql)
            throw PostgresError(message: "the statement copies nothing in", sql: sql)
        }
        libpq.clear(start)
        do {
            var copy = PostgresCopy(self, sql)
            try body(&copy)
            try copy.end()
        } catch {
            // The server's own error, if it has one, says more than that nothing can be sent.
            let own = try endCopy("the rows could not be made", sql).error
            if error is PostgresError, let own, own.state != "57014" { throw own }
            throw error
        }
        let end = try endCopy(nil, sql)
        if let error = end.error { throw error }
        return end.count
    }

    private func endCopy(
        _ reason: String?,
        _ sql: String
    ) throws -> (count: Int, error: PostgresError?) {
        let wasSent = reason.map { libpq.putCopyEnd(raw, $0) } ?? libpq.putCopyEnd(raw, nil)
        guard wasSent == 1 else { throw failure(sql) }
        var count = 0
        var error: PostgresError?
        while let answer = libpq.nextResult(raw) {
            if libpq.resultStatus(answer) == ResultStatus.commandDone {
                count = PostgresResult(libpq, answer).affectedRows
            } else {
                error = error ?? failure(answer, sql)
            }
        }
        return (count, error)
    }
}
