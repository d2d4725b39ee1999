import Front
import NIOCore
import Testing

@Suite("The pace of a connection")
struct PaceStateTests {
    private var settings = FrontSettings()
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

    private func reading(_ settings: FrontSettings? = nil) -> PaceState {
        var state = PaceState(settings ?? self.settings, now: start)
        state.asked(at: start)
        state.arrived(200, at: start)
        state.headCame()
        state.asked(at: start)
        return state
    }

    @Test("a new connection has ten seconds to say what it wants, an old one longer to be quiet")
    func quiet() {
        var state = PaceState(settings, now: start)
        #expect(state.verdict(at: at(9)) == .goOn)
        #expect(state.verdict(at: at(10)) == .close)
        state.arrived(200, at: at(1))
        state.headCame()
        state.bodyCame(at: at(1))
        state.answered(at: at(2))
        #expect(state.verdict(at: at(61)) == .goOn)
        #expect(state.verdict(at: at(62)) == .close)
    }

    @Test("a head that trickles ends ten seconds after its first byte")
    func head() {
        var state = PaceState(settings, now: start)
        for second in 0..<12 { state.arrived(1, at: at(Int64(second) + 5)) }
        #expect(state.verdict(at: at(14)) == .goOn)
        #expect(state.verdict(at: at(15)) == .close)
    }

    @Test("a body of one byte every two seconds fails after the grace")
    func trickle() {
        var state = reading()
        for second in stride(from: Int64(2), through: 8, by: 2) {
            state.arrived(1, at: at(second))
            state.asked(at: at(second))
        }
        #expect(state.verdict(at: at(9)) == .goOn)
        #expect(state.verdict(at: at(10)) == .fail)
    }

    @Test("each thousand bytes earn a second, up to the end of all time")
    func rate() {
        var state = reading()
        for second in Int64(1)...119 {
            state.arrived(2_000, at: at(second))
            state.asked(at: at(second))
            #expect(state.verdict(at: at(second)) == .goOn)
        }
        #expect(state.verdict(at: at(120)) == .fail)
    }

    @Test("time in which the server does not read counts against nobody")
    func ownSlowness() {
        var state = reading()
        state.arrived(100, at: at(1))
        // The handler waits for the store, and nothing is read.
        #expect(state.verdict(at: at(500)) == .goOn)
        state.asked(at: at(500))
        #expect(state.verdict(at: at(508)) == .goOn)
        #expect(state.verdict(at: at(509)) == .fail)
    }

    @Test("a request that is being answered has all the time it needs")
    func answering() {
        var state = reading()
        state.arrived(100, at: at(1))
        state.bodyCame(at: at(1))
        #expect(!state.isWaiting)
        #expect(state.verdict(at: at(3_600)) == .goOn)
    }

    @Test("a request that came before the answer to the one before has its time as well")
    func pipelining() {
        var state = reading()
        state.bodyCame(at: at(1))
        state.arrived(200, at: at(2))
        state.headCame()
        state.bodyCame(at: at(2))
        state.answered(at: at(3))
        #expect(state.phase == .answering)
        #expect(state.verdict(at: at(3_600)) == .goOn)
        state.answered(at: at(3_600))
        #expect(state.phase == .quiet(since: at(3_600), isFirst: false))
    }

    @Test("an answer that nobody takes ends the connection after a minute")
    func unread() {
        var state = reading()
        state.bodyCame(at: at(1))
        state.isWritable(false, at: at(2))
        #expect(state.verdict(at: at(61)) == .goOn)
        #expect(state.verdict(at: at(62)) == .close)
        state.isWritable(true, at: at(61))
        #expect(state.verdict(at: at(3_600)) == .goOn)
    }

    @Test("what is left of a refused request's body is thrown away for five seconds")
    func draining() {
        var state = reading()
        state.answered(at: at(1))
        #expect(state.isWaiting)
        #expect(state.verdict(at: at(5)) == .goOn)
        #expect(state.verdict(at: at(6)) == .close)
        state.bodyCame(at: at(4))
        #expect(state.verdict(at: at(6)) == .goOn)
    }
}
