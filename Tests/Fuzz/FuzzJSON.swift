import Foundation

/// libFuzzer's entry: a text that our reader and Foundation's have to read alike.
///
/// `./noroshi fuzz json` builds and runs this.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    do {
        try JSONFuzzer.run(Array(input))
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        preconditionFailure()
    }
    return 0
}
