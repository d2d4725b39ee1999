import Foundation

/// libpq, loaded when the first connection is made: a machine without it runs on SQLite.
package enum PostgresLibrary {
    private static let library = Result<LibPQ, any Error> {
        try LibPQ(LoadedLibrary(names: names))
    }

    #if canImport(Darwin)
    private static let names = ["libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"]
    #else
    private static let names = ["libpq.so.5"]
    #endif

    /// Loads libpq at the first call.
    ///
    /// - Throws: A ``PostgresError`` that says what to install where libpq is missing or older than 14.
    package static func load() throws {
        _ = try functions()
    }

    static func functions() throws -> LibPQ {
        try library.get()
    }
}

/// A shared library that stays loaded until the process ends, as the functions taken from it do.
struct LoadedLibrary {
    private let handle: UnsafeMutableRawPointer
    private let name: String

    /// - Parameter names: Where to look, in this order.
    /// - Throws: A ``PostgresError`` with what the loader says.
    init(names: [String]) throws {
        for name in names {
            if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
                self.handle = handle
                self.name = name
                return
            }
        }
        let reason = dlerror().map { String(cString: $0) } ?? names.joined(separator: ", ")
        throw PostgresError(
            message: """
                PostgreSQL's client library is missing; install libpq \
                (Debian and Ubuntu: libpq5; Fedora and Alpine: libpq). \(reason)
                """
        )
    }

    /// A function by its name in C.
    ///
    /// - Throws: A ``PostgresError`` where this version of the library does not have it.
    func function<Function>(_ symbol: String) throws -> Function {
        guard let address = dlsym(handle, symbol) else {
            throw PostgresError(
                message: "\(name) has no \(symbol); libpq 14 or newer is needed"
            )
        }
        // A C function is its address, and `LibPQ` gives each the type that libpq-fe.h declares.
        return unsafeBitCast(address, to: Function.self)
    }
}
