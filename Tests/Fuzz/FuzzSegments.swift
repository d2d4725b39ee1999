import Foundation

/// libFuzzer's entry: the first byte chooses the form, the rest is a segment.
///
/// `./noroshi fuzz segments` is the server's surface; `./noroshi fuzz rules` builds and runs this.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSegments(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    guard let choice = input.first else { return 0 }
    do {
        try SegmentsFuzzer.run(choice: choice, Array(input.dropFirst()))
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        preconditionFailure()
    }
    return 0
}
