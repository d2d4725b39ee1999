import Hummingbird
import NIOCore
import NIOHTTP1

/// A body that reserves its bytes in a budget as they arrive, and explains why it ended early.
struct MeteredBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let lease: BodyLease

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let lease: BodyLease

        mutating func next() async throws -> ByteBuffer? {
            let part: ByteBuffer?
            do {
                part = try await base.next()
            } catch let error as FrontError {
                throw error
            } catch let error as CancellationError {
                throw error
            } catch let error as HTTPParserError {
                throw FrontError.broken("\(error)")
            } catch {
                throw FrontError.broken("the connection ended")
            }
            guard let part else {
                lease.keep()
                return nil
            }
            // An evicted body needs a moment to release its memory.
            for _ in 0..<20 {
                if lease.take(part.readableBytes) { return part }
                guard lease.makeRoom() else { break }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw FrontError.noRoom
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: body.makeAsyncIterator(), lease: lease)
    }
}
