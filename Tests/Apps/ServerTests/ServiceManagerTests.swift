import Foundation
import Logging
import NIOCore
import NIOPosix
import SampleWorkspace
import Server
import ServiceLifecycle
import Testing

@Suite("The service manager")
struct ServiceManagerTests {
    @Test("is the one that the environment names, with a watchdog meant for this process")
    func settings() {
        func read(_ environment: [String: String]) -> ServiceManagerSettings? {
            ServiceManagerSettings(environment: environment, process: 7)
        }
        #expect(read([:]) == nil)
        #expect(read(["NOTIFY_SOCKET": "relative"]) == nil)
        #expect(read(["NOTIFY_SOCKET": "@"]) == nil)
        #expect(read(["NOTIFY_SOCKET": "/run/x"]) == ServiceManagerSettings(socket: "/run/x"))
        let environment = ["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "30000000"]
        let watched = ServiceManagerSettings(socket: "@x", watchdog: .seconds(30))
        #expect(read(environment) == watched)
        #expect(read(environment.merging(["WATCHDOG_PID": "7"]) { $1 }) == watched)
        #expect(
            read(environment.merging(["WATCHDOG_PID": "8"]) { $1 })
                == ServiceManagerSettings(socket: "@x")
        )
        for nonsense in ["0", "-1", "soon", "99999999999999999999"] {
            #expect(
                read(environment.merging(["WATCHDOG_USEC": nonsense]) { $1 })
                    == ServiceManagerSettings(socket: "@x")
            )
        }
    }

    @Test(
        "hears of start, life and stop, at a path and at an abstract name",
        arguments: [
            false, true,
        ]
    )
    func story(isAbstract: Bool) async throws {
        let manager = try Manager(isAbstract: isAbstract)
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let link = ServiceManagerLink(
            settings: ServiceManagerSettings(socket: manager.address, watchdog: .milliseconds(2)),
            loops: loops,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        link.ready(address: "127.0.0.1:8080")
        #expect(try await manager.next() == "READY=1\nSTATUS=serving 127.0.0.1:8080")
        let group = ServiceGroup(
            services: [link],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        async let running: Void = group.run()
        #expect(try await manager.next() == "WATCHDOG=1")
        #expect(try await manager.next() == "WATCHDOG=1")
        await group.triggerGracefulShutdown()
        var last = try await manager.next()
        while last == "WATCHDOG=1" { last = try await manager.next() }
        #expect(last == "STOPPING=1")
        try await running
        try await loops.shutdownGracefully()
    }

    @Test("gets no sign of life while an event loop is blocked")
    func blocked() async throws {
        let manager = try Manager(isAbstract: false)
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let gate = DispatchSemaphore(value: 0)
        let blocked = loops.next()
        blocked.execute { gate.wait() }
        let link = ServiceManagerLink(
            settings: ServiceManagerSettings(socket: manager.address, watchdog: .milliseconds(1)),
            loops: loops,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let group = ServiceGroup(
            services: [link],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        async let running: Void = group.run()
        // The other loop answers many times meanwhile.
        let free = try #require(loops.makeIterator().first { $0 !== blocked })
        for _ in 0..<100 { try await free.submit {}.get() }
        #expect(manager.isSilent)
        gate.signal()
        #expect(try await manager.next() == "WATCHDOG=1")
        await group.triggerGracefulShutdown()
        try await running
        try await loops.shutdownGracefully()
    }

    @Test("hears from a whole server, once it can be reached and before it is gone")
    func server() async throws {
        let manager = try Manager(isAbstract: false)
        let sample = try await manager.sampleServer()
        defer { sample.remove() }
        let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
        async let running: Void = sample.server.run(
            handlesSignals: false,
            until: { for await _ in stop {} }
        )
        #expect(try await manager.next().hasPrefix("READY=1\nSTATUS=serving 127.0.0.1:"))
        stopping.finish()
        #expect(try await manager.next() == "STOPPING=1")
        try await running
    }

    @Test("hears of a stop before what is slow to stop has stopped")
    func slow() async throws {
        let manager = try Manager(isAbstract: false)
        let sample = try await manager.sampleServer()
        defer { sample.remove() }
        let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        // Not ended by cancellation, as a commit is not.
        let slow = Task.detached { for await _ in held {} }
        async let running: Void = sample.server.run(
            handlesSignals: false,
            until: { for await _ in stop {} },
            onRunning: { _ in await slow.value }
        )
        #expect(try await manager.next().hasPrefix("READY=1"))
        stopping.finish()
        #expect(try await manager.next() == "STOPPING=1")
        release.finish()
        try await running
    }

    @Test("that is gone or has an impossible name stops nothing")
    func gone() {
        for socket in ["/nowhere/at/all", "/" + String(repeating: "x", count: 200)] {
            let link = ServiceManagerLink(
                settings: ServiceManagerSettings(socket: socket),
                loops: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            link.ready(address: "x")
            #expect(throws: ServiceManagerError.self) {
                try ServiceManagerSocket.send("READY=1", to: socket)
            }
        }
    }
}

/// The manager's end of the socket.
private final class Manager: Sendable {
    let address: String
    private let descriptor: Int32
    private let folder: URL

    init(isAbstract: Bool) throws {
        let name = UUID().uuidString.prefix(8)
        folder = URL(filePath: NSTemporaryDirectory()).appending(path: "manager-\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        address = isAbstract ? "@noroshi-\(name)" : folder.appending(path: "notify").path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var own = sockaddr_un()
        own.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(address.utf8)
        withUnsafeMutableBytes(of: &own.sun_path) { path in
            path.copyBytes(from: bytes)
            if isAbstract { path[0] = 0 }
        }
        let header = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        let length = socklen_t(header + bytes.count + (isAbstract ? 0 : 1))
        let bound = withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length)
            }
        }
        try #require(bound == 0)
        // What never comes fails the test in place of keeping it waiting; as `eventually` does.
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(at: folder)
    }

    /// A server that knows the manager.
    func sampleServer() async throws -> SampleServer {
        try await SampleServer.open(
            .small,
            settings: { $0.serviceManager = ServiceManagerSettings(socket: self.address) }
        )
    }

    /// Waits for the next datagram, on a thread that may be blocked.
    func next() async throws -> String {
        let datagram = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.receive(flags: 0)) }
        }
        return try #require(datagram)
    }

    /// Whether nothing has come.
    var isSilent: Bool { receive(flags: Int32(MSG_DONTWAIT)) == nil }

    private func receive(flags: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}
