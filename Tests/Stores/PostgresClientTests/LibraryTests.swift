import Testing

@testable import PostgresClient

@Suite("libpq, which is loaded when it is needed")
struct LibraryTests {
    @Test("where it is missing, the error says what to install")
    func missing() throws {
        let error = try #require(throws: PostgresError.self) {
            _ = try LoadedLibrary(names: ["libnothing.so.5"])
        }
        #expect(error.description.contains("libpq5"))
        #expect(error.description.contains("libnothing.so.5"))
    }

    @Test("where it is too old, the error says which is needed")
    func old() throws {
        let library = try LoadedLibrary(names: ["libnothing.so.5", "libc.so.6", "libSystem.dylib"])
        let error = try #require(throws: PostgresError.self) { _ = try LibPQ(library) }
        #expect(error.description.contains("libpq 14"))
    }
}
