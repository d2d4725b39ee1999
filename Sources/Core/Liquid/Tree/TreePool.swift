import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A template's tree, and copies of it.
///
/// A render counts references to the nodes that it visits. Threads that render the same nodes
/// compete for the same cache lines, and together are hardly faster than one alone. So every render
/// borrows a tree that no other thread uses; if none is free, the source is parsed again. There are
/// never more trees than concurrent renders.
final class TreePool: Sendable {
    /// A place where a thread leaves its tree for its next render. It is as long as a cache line,
    /// because the next slot belongs to another thread.
    private struct Slot: ~Copyable {
        let tree = Mutex<TemplateTree?>(nil)
        private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)
    }

    /// A power of two. With more threads than slots some share a slot, which is only slower.
    private static let slotCount = 16

    /// Allocated by the first render. It is a plain pointer, because a reference to it would be
    /// counted too. Once set it stays until `deinit`; only the contents of the slots change, each
    /// behind its lock.
    private nonisolated(unsafe) let slots = Atomic<UnsafeMutablePointer<Slot>?>(nil)
    /// The tree parsed first, until a thread takes it.
    private let first: Mutex<TemplateTree?>
    private let source: [UInt8]
    private let mode: Template.Mode
    private let dialect: Template.Dialect
    private let limits: LiquidLimits

    init(
        _ tree: TemplateTree,
        mode: Template.Mode,
        dialect: Template.Dialect,
        limits: LiquidLimits
    ) {
        source = tree.source
        self.mode = mode
        self.dialect = dialect
        self.limits = limits
        first = Mutex(tree)
    }

    deinit {
        if let slots = slots.load(ordering: .acquiring) { Self.free(slots) }
    }

    /// A tree for this thread alone; return it with `give`.
    func take() throws(LiquidError) -> TemplateTree {
        let slots = readySlots()
        let own = Self.threadSlot
        for step in 0..<Self.slotCount {
            let slot = (own &+ step) & (Self.slotCount - 1)
            if let tree = slots[slot].tree.withLock({ $0.take() }) { return tree }
        }
        if let tree = first.withLock({ $0.take() }) { return tree }
        return try TemplateTree(
            // Copy the bytes too: the references of the first tree are counted by another thread.
            source.withUnsafeBufferPointer { Array($0) },
            ParseContext(mode: mode, dialect: dialect, limits: limits, bytes: source.count)
        )
    }

    func give(_ tree: TemplateTree) {
        let slots = readySlots()
        let own = Self.threadSlot
        for step in 0..<Self.slotCount {
            let slot = (own &+ step) & (Self.slotCount - 1)
            let isTaken = slots[slot].tree.withLock { place in
                guard place == nil else { return false }
                place = tree
                return true
            }
            if isTaken { return }
        }
    }

    private func readySlots() -> UnsafeMutablePointer<Slot> {
        if let slots = slots.load(ordering: .acquiring) { return slots }
        let made = UnsafeMutableRawPointer.allocate(
            byteCount: Self.slotCount * MemoryLayout<Slot>.stride,
            alignment: MemoryLayout<Slot>.stride
        ).bindMemory(to: Slot.self, capacity: Self.slotCount)
        for index in 0..<Self.slotCount { (made + index).initialize(to: Slot()) }
        let (isExchanged, earlier) = slots.compareExchange(
            expected: nil,
            desired: made,
            ordering: .acquiringAndReleasing
        )
        guard !isExchanged, let earlier else { return made }
        Self.free(made)
        return earlier
    }

    private static func free(_ slots: UnsafeMutablePointer<Slot>) {
        slots.deinitialize(count: slotCount)
        UnsafeMutableRawPointer(slots).deallocate()
    }

    /// Spreads threads over the slots by their addresses.
    private static var threadSlot: Int {
        #if canImport(Darwin)
        let thread = UInt(bitPattern: pthread_self())
        #else
        let thread = UInt(pthread_self())
        #endif
        return Int((thread &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}
