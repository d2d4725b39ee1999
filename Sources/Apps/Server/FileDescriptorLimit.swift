import Foundation

/// The limit on open files and sockets of the process.
enum FileDescriptorLimit {
    /// Number of files for the database, its log and connections to push providers.
    private static let reserve = 256

    /// Raises the limit as far as the system allows, and returns the number of connections that
    /// fit.
    static func connections(atMost wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(wanted + reserve)))
        _ = setrlimit(resource, &limit)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(wanted + reserve) else {
            return wanted
        }
        return max(64, Int(limit.rlim_cur) - reserve)
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
