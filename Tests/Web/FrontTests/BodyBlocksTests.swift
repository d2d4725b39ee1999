import NIOCore
import Testing

@testable import Front

@Suite("The pieces of a body")
struct BodyBlocksTests {
    @Test(
        "are joined to what was sent, and hold at most a block more than that",
        arguments: [
            [], [1], [16_384], [16_384, 1], [100_000], [1, 16_383, 1], [3, 0, 40_000, 7],
            Array(repeating: 1_000, count: 200), Array(repeating: 1, count: 40_000),
        ]
    )
    func joined(lengths: [Int]) {
        var blocks = BodyBlocks()
        var sent = ByteBuffer()
        var next: UInt8 = 0
        for length in lengths {
            let piece = (0..<length).map { _ -> UInt8 in
                next &+= 7
                return next
            }
            sent.writeBytes(piece)
            blocks.append(ByteBuffer(bytes: piece))
            #expect(blocks.capacity <= blocks.count + BodyBlocks.size)
        }
        #expect(blocks.count == sent.readableBytes)
        #expect(blocks.joined() == sent)
    }
}
