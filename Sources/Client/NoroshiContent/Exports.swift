// A content extension imports `NoroshiContent` alone; it links nothing that only an app may call.
@_exported import NoroshiExtensions
