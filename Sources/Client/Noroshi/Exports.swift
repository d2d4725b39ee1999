// An app imports `Noroshi` alone; the module below it holds what extensions need too.
@_exported import NoroshiOutbox

@_exported import struct NoroshiWire.InAppMessage
@_exported import struct NoroshiWire.InAppMessageRules
@_exported import enum NoroshiWire.NoroshiVersion
