/// libFuzzer's entry: the first byte chooses mode and dialect, the rest is a template.
///
/// A template may fail to parse or to render; it may not crash, run for long, or write more than
/// its limit. `./noroshi fuzz liquid` builds and runs this.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLiquid(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    guard let choice = input.first else { return 0 }
    LiquidFuzzer.run(choice: choice, template: Array(input.dropFirst()))
    return 0
}
