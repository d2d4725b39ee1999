import Foundation

/// The functions of libpq that the client calls, by their names in libpq.
///
/// Each is looked up in the loaded library: nothing of PostgreSQL is needed to build, and a machine without libpq
/// runs on SQLite. A connection (`PGconn`), a result (`PGresult`) and a cancellation (`PGcancel`) are opaque
/// pointers here as they are in C.
struct LibPQ: Sendable {
    typealias Text = UnsafePointer<CChar>
    typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
    typealias Numbers = UnsafePointer<Int32>
    typealias Types = UnsafePointer<UInt32>

    typealias Connect = @Sendable @convention(c) (Texts, Texts, Int32) -> OpaquePointer?
    typealias End = @Sendable @convention(c) (OpaquePointer?) -> Void
    typealias Number = @Sendable @convention(c) (OpaquePointer?) -> Int32
    typealias Words = @Sendable @convention(c) (OpaquePointer?) -> Text?
    typealias NoticeProcessor = @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void
    typealias SetNoticeProcessor =
        @Sendable @convention(c) (OpaquePointer?, NoticeProcessor?, UnsafeMutableRawPointer?) ->
        Void
    typealias Execute = @Sendable @convention(c) (OpaquePointer?, Text) -> OpaquePointer?
    typealias ExecuteWithParameters =
        @Sendable @convention(c) (
            OpaquePointer?, Text, Int32, Types?, Texts?, Numbers?, Numbers?, Int32
        ) -> OpaquePointer?
    typealias Prepare =
        @Sendable @convention(c) (OpaquePointer?, Text, Text, Int32, Types?) -> OpaquePointer?
    typealias ExecutePrepared =
        @Sendable @convention(c) (
            OpaquePointer?, Text, Int32, Texts?, Numbers?, Numbers?, Int32
        ) -> OpaquePointer?
    typealias SendWithParameters =
        @Sendable @convention(c) (
            OpaquePointer?, Text, Int32, Types?, Texts?, Numbers?, Numbers?, Int32
        ) -> Int32
    typealias SendPrepare =
        @Sendable @convention(c) (OpaquePointer?, Text, Text, Int32, Types?) -> Int32
    typealias SendPrepared =
        @Sendable @convention(c) (
            OpaquePointer?, Text, Int32, Texts?, Numbers?, Numbers?, Int32
        ) -> Int32
    typealias Next = @Sendable @convention(c) (OpaquePointer?) -> OpaquePointer?
    typealias ErrorField = @Sendable @convention(c) (OpaquePointer?, Int32) -> Text?
    typealias ColumnName = @Sendable @convention(c) (OpaquePointer?, Int32) -> Text?
    typealias ColumnType = @Sendable @convention(c) (OpaquePointer?, Int32) -> UInt32
    typealias Field = @Sendable @convention(c) (OpaquePointer?, Int32, Int32) -> Text?
    typealias FieldNumber = @Sendable @convention(c) (OpaquePointer?, Int32, Int32) -> Int32
    typealias Cancel =
        @Sendable @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>, Int32) -> Int32
    typealias PutCopyData = @Sendable @convention(c) (OpaquePointer?, Text, Int32) -> Int32
    typealias PutCopyEnd = @Sendable @convention(c) (OpaquePointer?, Text?) -> Int32

    let connect: Connect
    let finish: End
    let status: Number
    let errorMessage: Words
    let serverVersion: Number
    let transactionStatus: Number
    let backend: Number
    let host: Words
    let port: Words
    let database: Words
    let setNoticeProcessor: SetNoticeProcessor
    let consumeInput: Number

    let execute: Execute
    let executeWithParameters: ExecuteWithParameters
    let prepare: Prepare
    let executePrepared: ExecutePrepared
    let sendWithParameters: SendWithParameters
    let sendPrepare: SendPrepare
    let sendPrepared: SendPrepared
    let setSingleRowMode: Number
    let nextResult: Next

    let resultStatus: Number
    let resultErrorMessage: Words
    let resultErrorField: ErrorField
    let rowCount: Number
    let columnCount: Number
    let columnName: ColumnName
    let columnType: ColumnType
    let field: Field
    let fieldLength: FieldNumber
    let fieldIsNull: FieldNumber
    let affectedRows: Words
    let clear: End

    let makeCancellation: Next
    let cancel: Cancel
    let freeCancellation: End
    let putCopyData: PutCopyData
    let putCopyEnd: PutCopyEnd
    let enterPipeline: Number
    let exitPipeline: Number
    let pipelineSync: Number

    init(_ library: LoadedLibrary) throws {
        connect = try library.function("PQconnectdbParams")
        finish = try library.function("PQfinish")
        status = try library.function("PQstatus")
        errorMessage = try library.function("PQerrorMessage")
        serverVersion = try library.function("PQserverVersion")
        transactionStatus = try library.function("PQtransactionStatus")
        backend = try library.function("PQbackendPID")
        host = try library.function("PQhost")
        port = try library.function("PQport")
        database = try library.function("PQdb")
        setNoticeProcessor = try library.function("PQsetNoticeProcessor")
        consumeInput = try library.function("PQconsumeInput")

        execute = try library.function("PQexec")
        executeWithParameters = try library.function("PQexecParams")
        prepare = try library.function("PQprepare")
        executePrepared = try library.function("PQexecPrepared")
        sendWithParameters = try library.function("PQsendQueryParams")
        sendPrepare = try library.function("PQsendPrepare")
        sendPrepared = try library.function("PQsendQueryPrepared")
        setSingleRowMode = try library.function("PQsetSingleRowMode")
        nextResult = try library.function("PQgetResult")

        resultStatus = try library.function("PQresultStatus")
        resultErrorMessage = try library.function("PQresultErrorMessage")
        resultErrorField = try library.function("PQresultErrorField")
        rowCount = try library.function("PQntuples")
        columnCount = try library.function("PQnfields")
        columnName = try library.function("PQfname")
        columnType = try library.function("PQftype")
        field = try library.function("PQgetvalue")
        fieldLength = try library.function("PQgetlength")
        fieldIsNull = try library.function("PQgetisnull")
        affectedRows = try library.function("PQcmdTuples")
        clear = try library.function("PQclear")

        makeCancellation = try library.function("PQgetCancel")
        cancel = try library.function("PQcancel")
        freeCancellation = try library.function("PQfreeCancel")
        putCopyData = try library.function("PQputCopyData")
        putCopyEnd = try library.function("PQputCopyEnd")
        enterPipeline = try library.function("PQenterPipelineMode")
        exitPipeline = try library.function("PQexitPipelineMode")
        pipelineSync = try library.function("PQpipelineSync")
    }
}

/// What libpq calls `ExecStatusType`.
enum ResultStatus {
    static let commandDone: Int32 = 1
    static let rows: Int32 = 2
    static let copyOut: Int32 = 3
    static let copyIn: Int32 = 4
    static let oneRow: Int32 = 9
    static let pipelineSync: Int32 = 10
    static let pipelineAborted: Int32 = 11
}

/// What libpq calls `PGTransactionStatusType`.
enum TransactionStatus {
    static let idle: Int32 = 0
    static let active: Int32 = 1
    static let open: Int32 = 2
    static let failed: Int32 = 3
}
