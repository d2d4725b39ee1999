// A content extension imports `NoroshiContent` alone, which links nothing that only an app may
// call.
@_exported import NoroshiExtensions
