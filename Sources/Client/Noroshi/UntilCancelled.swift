/// Returns when the surrounding task is cancelled.
func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    var iterator = stream.makeAsyncIterator()
    // Nothing is ever yielded: a stream ends with the task that reads it.
    _ = await iterator.next()
    continuation.finish()
}
