// An app imports `Noroshi` alone; the module below also contains the types that extensions need.
@_exported import NoroshiOutbox

@_exported import struct NoroshiWire.InAppMessage
@_exported import struct NoroshiWire.InAppMessageRules
@_exported import enum NoroshiWire.NoroshiVersion
